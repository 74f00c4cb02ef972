// Written by `make web-types` from the server's own description. Do not edit.
// shapes c4a1fd0da4efb8fb

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Something to change, and what came of it on a sample. */
        Advice: {
            /** @description What to do. */
            change: string;
            /** @description What it came to, in words. */
            effect: string;
            /** @description The grade with the change. */
            grade: components["schemas"]["Grade"];
            /**
             * Format: int64
             * @description On how many people it was tried.
             */
            people: number;
        };
        /** @description The risks of people whose columns are all known. */
        AllKnown: {
            disclosure?: components["schemas"]["Disclosure"] | null;
            /**
             * Format: double
             * @description The same of a person in the table.
             */
            journalist?: number | null;
            /**
             * Format: double
             * @description The average risk.
             */
            marketer: number;
            /**
             * Format: double
             * @description The highest risk of a person who is known to be in the table.
             */
            prosecutor?: number | null;
        };
        /** @description What the user says about a job. */
        Annotation: {
            /** @description A note. */
            note?: string | null;
            /** @description Whether to keep it in view. */
            pinned?: boolean | null;
        };
        /** @description What came of a release. */
        AnonymizeResult: {
            /** @description What would help where it is not good, each tried on a sample. */
            advice: components["schemas"]["Advice"][];
            /** @description Further promises that were asked for and hold. */
            also: components["schemas"]["ReleaseVerdict"][];
            /** @description Exact sizes, for the publisher. */
            counts: components["schemas"]["ReleaseCounts"];
            /** @description How often released values occur, and original ones seem to: by column, or of the items of sets. */
            frequencies: components["schemas"]["Frequencies"][];
            /** @description Items that stand for several. */
            generalised: components["schemas"]["Listed_Generalised"];
            /** @description What the release says of itself, as far as it is shown. */
            manifest: components["schemas"]["Manifest"];
            map_after?: components["schemas"]["MapView"] | null;
            map_before?: components["schemas"]["MapView"] | null;
            /** @description What the release is still good for. */
            measures: components["schemas"]["Reading"][];
            /** @description What the method says to the publisher. */
            notes: string[];
            reader?: components["schemas"]["ReaderVerdict"] | null;
            /** @description Why the method did what it did. */
            reasons: components["schemas"]["Listed_Reason"];
            /** @description What attackers could do, before and after. */
            risk: components["schemas"]["BeforeAfter"];
            /** @description Some records before and after. */
            samples: components["schemas"]["Samples"];
            /** @description Seconds of each step. */
            seconds: [
                string,
                number
            ][];
            suppression?: components["schemas"]["Suppression"] | null;
            /** @description Which shares of the data are left. */
            survived: components["schemas"]["Survived"][];
            /** @description Whether the promise holds, judged with the original data. */
            verdict: components["schemas"]["ReleaseVerdict"];
        };
        /** @description A release to be made. */
        AnonymizeSpec: {
            /**
             * @description Whether columns may be published that single people out; it is recorded that they do.
             * @default false
             */
            accept_exposed_columns?: boolean;
            /**
             * @description Columns that may be published although they identify people directly; it is recorded that they do.
             * @default []
             */
            accept_identifiers?: string[];
            /**
             * @description Whether a release without a single event may be made.
             * @default false
             */
            allow_empty?: boolean;
            /**
             * @description The method's name.
             * @default
             */
            method?: string;
            /**
             * @description The columns to publish: all others are withheld, whatever their role. Without a list, events are published without columns,
             *     and a table or mixed data with every column that has a role but an identifying one.
             * @default null
             */
            publish?: string[] | null;
            /**
             * Format: int64
             * @description Seed of every random choice; without one the run draws its own where it has to be secret.
             * @default null
             */
            seed?: number | null;
            /**
             * @description Parameters that differ from the defaults.
             * @default {}
             */
            settings?: {
                [key: string]: components["schemas"]["Scalar"];
            };
            /**
             * @description `sound` or `as-printed`.
             * @default null
             */
            variant?: string | null;
        };
        /** @description One bar. */
        Bar: {
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            /**
             * Format: double
             * @description Begin of the range.
             */
            from?: number | null;
            /** @description The value or range in words. */
            label: string;
            /**
             * Format: int64
             * @description Among how many people.
             */
            people?: number | null;
            /**
             * Format: double
             * @description End of the range.
             */
            to?: number | null;
        };
        /** @description What attackers could do, before and after. */
        BeforeAfter: {
            /** @description With the release. */
            after: components["schemas"]["RiskView"];
            /** @description With the data. */
            before: components["schemas"]["RiskView"];
            table?: components["schemas"]["TableRisk"] | null;
            /** @description The same with the release. */
            together_after: components["schemas"]["TogetherView"][];
            /** @description Of events beside published columns: what both give away together with the data, by how many columns are known. */
            together_before: components["schemas"]["TogetherView"][];
        };
        /** @description Columns of the events that belong to the person or to the item, and could be taken as inputs. */
        BelongingView: {
            /** @description Those that never change for a person. */
            attributes: string[];
            /** @description The category of an item. */
            category?: string | null;
            /** @description The two coordinates of an item, or none. */
            coordinates: string[];
            /** @description Whether they are x and y of a plane. */
            plane: boolean;
        };
        /**
         * @description Which way a number is better.
         * @enum {string}
         */
        Better: "low" | "high" | "neither";
        /** @description What came of one of the methods. */
        Candidate: {
            /** @description The method's name. */
            method: string;
            /** @description Why there are none. */
            problem?: string | null;
            /** @description Its settings, as typed. */
            settings: {
                [key: string]: string;
            };
            /** @description The numbers, by scale. */
            values: {
                [key: string]: number | null;
            };
        };
        /** @description Everything a form can offer. */
        Catalogue: {
            /** @description Kinds of attackers. */
            attackers: components["schemas"]["Descriptor"][];
            /** @description Files beside the data. */
            inputs: components["schemas"]["InputEntry"][];
            /** @description What a recommended release may be wanted for. */
            keeps: components["schemas"]["KeepEntry"][];
            /** @description Measures. */
            measures: components["schemas"]["Descriptor"][];
            /** @description Methods. */
            methods: components["schemas"]["Descriptor"][];
            /** @description What finds patterns in the data. */
            miners: components["schemas"]["Descriptor"][];
            /** @description Promises in plain language, with settings. */
            presets: components["schemas"]["Preset"][];
            /** @description Promises. */
            promises: components["schemas"]["Descriptor"][];
            /** @description Names of the promises that rest on secret noise: a seed that could be guessed would void them. */
            secret_noise: string[];
            /** @description Sample worlds. */
            worlds: components["schemas"]["WorldEntry"][];
        };
        /** @description What should become of a setting. */
        Change: {
            /** @description The setting's name, as in recipes: `subject`, `k`, `places`. A switch to turn off is `no-NAME`. */
            setting: string;
            /** @description The value that it should get, or what stands for one (`COLUMN`); nothing where it is a switch or should be looked at. */
            value?: string | null;
        };
        /** @description Whether a run makes sense. */
        Checked: {
            /** @description The run as a command. */
            command: string;
            estimate?: components["schemas"]["Estimate"] | null;
            /** @description Required inputs that are not there, by the name of their flag. */
            missing_inputs: string[];
            /** @description Whether it can begin. */
            ok: boolean;
            /** @description What has to be solved first. */
            problems: components["schemas"]["Objection"][];
            /** @description The run as a recipe. */
            recipe: string;
        };
        /** @description A point to confirm. */
        ChecklistPoint: {
            /** @description What is known about it, one sentence or more each. */
            about: string[];
            /** @description Its name in the request to publish. */
            key: string;
            /** @description What is confirmed. */
            title: string;
            /** @description Whether it is bad news. */
            warns: boolean;
        };
        /** @description A method with settings. */
        Choice: {
            /** @description The method's name. */
            method: string;
            /** @description Its settings, as typed. */
            settings: {
                [key: string]: string;
            };
        };
        /** @description Something the attacker knows. */
        ClueRequest: {
            /** @description Of a table, the column. */
            column?: string | null;
            /** @description The item; of a table, the value. */
            item: string;
            /** @description When, as the data writes it. */
            time?: string | null;
        };
        /**
         * @description What a column of the data is.
         * @enum {string}
         */
        ColumnRole: "subject" | "record" | "item" | "time" | "identifying" | "quasi-identifying" | "sensitive" | "insensitive" | "none";
        /** @description What was said about reading the data. */
        ColumnsChange: {
            /**
             * @description Roles of columns of the records, by name.
             * @default {}
             */
            attributes?: {
                [key: string]: components["schemas"]["ColumnRole"];
            };
            /**
             * @description What separates columns; empty for a guess.
             * @default null
             */
            delimiter?: string | null;
            /**
             * @description How letters are stored: `utf-8`, `utf-16le`, `windows-1252` and others; empty for a guess.
             * @default null
             */
            encoding?: string | null;
            /** @default null */
            form?: components["schemas"]["DataForm"] | null;
            /**
             * @description Types of columns of a table, by name: `category`, `number` or `date`; empty for a guess.
             * @default {}
             */
            kinds?: {
                [key: string]: string;
            };
            /**
             * @description Whether every line is a record: its items in order, without columns.
             * @default null
             */
            lines?: boolean | null;
            /**
             * @description Whether the first line is a row, and columns go by number.
             * @default null
             */
            no_header?: boolean | null;
            /**
             * @description Roles of columns of the data, by name. Columns not named keep theirs.
             * @default {}
             */
            roles?: {
                [key: string]: components["schemas"]["ColumnRole"];
            };
            /**
             * @description What separates items in it, or on a line; empty for a blank.
             * @default null
             */
            separator?: string | null;
            /**
             * @description The sheet of a workbook; empty for the only one.
             * @default null
             */
            sheet?: string | null;
            /**
             * @description How times are written, in the letters of `strptime`; empty for a guess.
             * @default null
             */
            time_format?: string | null;
            /**
             * @description The column that holds all items of a record; empty for none.
             * @default null
             */
            wide?: string | null;
        };
        /** @description What published columns give away. */
        ColumnsVerdict: {
            /** @description Whether the publisher accepted it where it is not covered. */
            accepted: boolean;
            /** @description Whether every group is large enough, and no column names people. */
            covered: boolean;
            /**
             * Format: int64
             * @description How large a group has to be.
             */
            crowd: number;
            /**
             * Format: int64
             * @description People in smaller groups.
             */
            people_below: number;
            /** @description The verdict in plain words. */
            statement: string;
            /**
             * Format: int64
             * @description People alone in their group.
             */
            unique: number;
        };
        /** @description A column of the data or of the records. */
        ColumnView: {
            /**
             * Format: int64
             * @description Distinct values.
             */
            distinct: number;
            /** @description What some values look like, without the values. */
            example_shapes: string[];
            /** @description The first values, for the publisher who says what the column is. */
            examples?: string[];
            /** @description What its name suggests. */
            guessed_role: components["schemas"]["ColumnRole"];
            /** @description `number`, `time`, `text` or `empty`; of a table `number`, `date` or `category`. */
            kind: string;
            /**
             * Format: int64
             * @description Empty cells.
             */
            missing: number;
            /** @description Its name. */
            name: string;
            /** @description Why it was guessed to be what it is. */
            reason?: string;
            role?: components["schemas"]["ColumnRole"] | null;
            /** @description The type that the user said the column of a table has. */
            said_kind?: string | null;
        };
        /** @description A method with a value of the parameter that varies. */
        CompareCell: {
            /** @description The method's name. */
            method: string;
            /** @description Why there is no release. */
            problem?: string | null;
            /**
             * Format: int64
             * @description How many runs stand behind the numbers.
             */
            runs: number;
            /**
             * Format: double
             * @description Seconds that the method took.
             */
            seconds?: number | null;
            /** @description How far repeated runs are apart: the lowest and the highest number, by scale. */
            spread: {
                [key: string]: [
                    number,
                    number
                ];
            };
            /**
             * @description `done`, `failed`, `broken`, `timed-out` or `infeasible`; `waiting` where the run is not over. The numbers of what is broken are of a
             *     release that does not keep its promise.
             */
            state: string;
            /** @description The numbers, by scale; of runs that were repeated, their averages. */
            values: {
                [key: string]: number | null;
            };
            /** @description The value. */
            x: string;
        };
        /** @description What came of a comparison. */
        CompareResult: {
            /** @description One for each method and value. */
            cells: components["schemas"]["CompareCell"][];
            /**
             * Format: int64
             * @description How many of them are over.
             */
            decided: number;
            /** @description The parameter that varies. */
            param: string;
            /**
             * Format: int64
             * @description How many runs were planned.
             */
            planned: number;
            /** @description How to read the numbers, those of measures first. */
            scales: components["schemas"]["Scale"][];
        };
        /** @description Methods to be compared. */
        CompareSpec: {
            /**
             * @description Measures by name; the usual ones when empty.
             * @default []
             */
            measures?: string[];
            /**
             * @description The methods, with settings that differ from the defaults.
             * @default []
             */
            methods?: components["schemas"]["MethodSpec"][];
            /**
             * @description What the comparison is called, for people.
             * @default null
             */
            name?: string | null;
            /**
             * Format: int32
             * @description How often each run is repeated, with one seed after the other: 1 to 20.
             * @default null
             */
            repeats?: number | null;
            /**
             * Format: int64
             * @description Seed of every random choice.
             * @default null
             */
            seed?: number | null;
            /** @default null */
            vary?: components["schemas"]["Vary"] | null;
        };
        /** @description What a query wants of a column. */
        Condition: {
            /** @description The lowest and the highest number or date wanted, both included. */
            between?: [
                string,
                string
            ] | null;
            /** @description The column. */
            column: string;
            /** @description One of these values; empty where a range is wanted. */
            values?: string[];
        };
        /** @description The screen to be copied. */
        CopySpec: {
            run?: components["schemas"]["AnonymizeSpec"] | null;
            /** @enum {string} */
            screen: "data";
        } | {
            run?: components["schemas"]["AnonymizeSpec"] | null;
            /** @enum {string} */
            screen: "meaning";
        } | {
            /** @description The attacker's parameters that differ from the defaults. */
            attacker: {
                [key: string]: components["schemas"]["Scalar"];
            };
            run?: components["schemas"]["AnonymizeSpec"] | null;
            /** @enum {string} */
            screen: "risk";
        } | (components["schemas"]["CompareSpec"] & {
            /** @enum {string} */
            screen: "compare";
        }) | {
            /** @description The miner. */
            miner: string;
            /** @description The job whose release is looked at. */
            release?: string | null;
            /** @enum {string} */
            screen: "patterns";
            /** @description Its parameters that differ from the defaults. */
            settings: {
                [key: string]: components["schemas"]["Scalar"];
            };
        };
        /** @description A screen without a browser. */
        CopyText: {
            /** @description As a command. */
            command: string;
            /** @description As a recipe, in TOML. */
            recipe: string;
        };
        /** @description Sizes. */
        Counts: {
            /**
             * Format: int64
             * @description Events.
             */
            events: number;
            /**
             * Format: int64
             * @description Distinct items.
             */
            items: number;
            /**
             * Format: int64
             * @description Records.
             */
            records: number;
            /**
             * Format: int64
             * @description People.
             */
            subjects: number;
        };
        /**
         * @description What a row of the data is.
         * @enum {string}
         */
        DataForm: "sequences" | "sets" | "table" | "mixed";
        /**
         * @description A kind of data.
         * @enum {string}
         */
        DataKind: "table" | "sequences" | "timed" | "sets" | "mixed";
        /** @description What is wrong with the data, and how to mend it on the screen. */
        DataProblem: {
            /** @description The column. */
            column?: string | null;
            /** @description What and where. */
            detail: string;
            /** @description One way out. */
            help: components["schemas"]["Help"];
            /**
             * Format: int64
             * @description The line, counted from 1.
             */
            line?: number | null;
        };
        /**
         * @description Whether the data is there.
         * @enum {string}
         */
        DataState: "loading" | "ready" | "problem";
        /** @description The data screen. */
        DataView: {
            /** @description Columns of the records, if there are records. */
            attributes: components["schemas"]["ColumnView"][];
            /** @description What else the file says: columns that belong to the person or to the item. */
            belonging: components["schemas"]["BelongingView"];
            /** @description Its columns. */
            columns: components["schemas"]["ColumnView"][];
            /** @description Sizes; zero while the data cannot be read. */
            counts: components["schemas"]["Counts"];
            /** @description What a row is. */
            form: components["schemas"]["DataForm"];
            /** @description Whether the user said so; otherwise it is a guess. */
            form_said: boolean;
            /** @description The form of the file. */
            format: string;
            kind?: components["schemas"]["DataKind"] | null;
            lengths?: components["schemas"]["Histogram"] | null;
            /** @description What the program decided about the file and the user did not say: its encoding, what separates its columns. */
            notes: string[];
            problem?: components["schemas"]["DataProblem"] | null;
            progress?: components["schemas"]["PhaseView"] | null;
            question?: components["schemas"]["QuestionView"] | null;
            /** @description How the file is read beside the roles. */
            reading: components["schemas"]["ReadingView"];
            /**
             * Format: int64
             * @description Edits that can be carried out again.
             */
            redo: number;
            /** @description The columns that are used. */
            roles: components["schemas"]["RolesView"];
            /**
             * Format: int64
             * @description Rows of the working table.
             */
            rows: number;
            /** @description The data in a sentence. */
            sentence: string;
            /** @description Whether the data is there. */
            state: components["schemas"]["DataState"];
            times?: components["schemas"]["Histogram"] | null;
            /** @description The most frequent items, by people. */
            top_items: components["schemas"]["TopItem"][];
            /**
             * Format: int64
             * @description Edits that can be taken back.
             */
            undo: number;
        };
        /** @description The description of one method, promise, measure or attacker. */
        Descriptor: {
            /** @description A command that works as typed. */
            example: string;
            gauge?: components["schemas"]["Gauge"] | null;
            /** @description For methods: the promise the release keeps. */
            keeps?: string | null;
            /** @description What it describes. */
            kind: components["schemas"]["DescriptorKind"];
            /** @description The name that users type. */
            name: string;
            /** @description Inputs beside the data. */
            needs: components["schemas"]["Need"][];
            /** @description What a user should know before relying on it. */
            notes: string;
            /** @description Key of the paper. */
            paper: string;
            /** @description Parameters, in the order forms show them. */
            params: components["schemas"]["Param"][];
            /** @description One line: what it does and for whom. */
            purpose: string;
            /** @description Kinds of data it takes. */
            takes: components["schemas"]["DataKind"][];
            /** @description Whether the variant `as-printed` gives another answer than `sound`. */
            variants: boolean;
        };
        /**
         * @description What a descriptor describes.
         * @enum {string}
         */
        DescriptorKind: "method" | "promise" | "measure" | "attacker" | "miner";
        /** @description What differs between the data that a release was made from and the data now. */
        Differences: {
            /** @description Whether the same run would read the same today. */
            current: boolean;
            /**
             * Format: int64
             * @description Events now.
             */
            events_now: number;
            /**
             * Format: int64
             * @description Events then.
             */
            events_then: number;
            /** @description Inputs beside the data that were changed, added or removed since, by the name of their flag. */
            inputs: string[];
            /** @description Whether the release may be published all the same, if that is asked for: not when people were removed. */
            may_be_published: boolean;
            /**
             * Format: int64
             * @description People who are in the data now and were not then.
             */
            people_added: number;
            /**
             * Format: int64
             * @description People whose events are others now.
             */
            people_changed: number;
            /**
             * Format: int64
             * @description People who were in the data then and are not now.
             */
            people_removed: number;
            /** @description Whether roles of columns, or how the file is read, changed. */
            reading: boolean;
            /** @description All of it in plain words, one sentence each. */
            words: string[];
        };
        /** @description What becomes known of sensitive values. */
        Disclosure: {
            /**
             * Format: double
             * @description Of what share of people a value is certain.
             */
            certain?: number | null;
            /**
             * Format: double
             * @description How surely the best guess is right, on average.
             */
            confidence: number;
            /**
             * Format: double
             * @description How surely at most.
             */
            highest?: number | null;
        };
        /** @description An earlier release of the same people. */
        EarlierView: {
            /** @description Where it was written. */
            directory: string;
            /** @description How it was made. */
            method: string;
            /**
             * Format: int64
             * @description Its number.
             */
            number: number;
            /** @description What it promises, with its numbers. */
            promise: string;
            /** @description Whether both were made from the same file. */
            same_data: boolean;
            /**
             * Format: double
             * @description Share of the people who were in it too; absent where only the file says so.
             */
            share?: number | null;
            together?: components["schemas"]["Together"] | null;
            /** @description When it was recorded. */
            when: string;
        };
        /** @description A change of the working table. */
        EditRequest: {
            /** @description The column's name. */
            column: string;
            /** @enum {string} */
            op: "set";
            /**
             * Format: int32
             * @description The row's number.
             */
            row: number;
            /** @description The value. */
            value: string;
        } | {
            /** @enum {string} */
            op: "delete";
            /** @description Numbers of the rows. */
            rows: number[];
        } | {
            /** @description Text that some cell holds, or `column=text`. */
            filter: string;
            /** @enum {string} */
            op: "delete-where";
        } | {
            /** @description The column's name. */
            column: string;
            /** @description Text that some cell holds, or `column=text`. */
            filter?: string;
            /** @enum {string} */
            op: "fill-where";
            /** @description The value. */
            value: string;
        } | {
            /** @description The column's name. */
            column: string;
            /** @description Text that some cell holds, or `column=text`. */
            filter?: string;
            /** @description The part, as it is written. */
            find: string;
            /** @enum {string} */
            op: "replace-where";
            /** @description What it becomes. */
            with: string;
        } | {
            /** @description Values by column; cells of other columns are empty. */
            cells: {
                [key: string]: string;
            };
            /** @enum {string} */
            op: "add-row";
        } | {
            /** @description Its name. */
            name: string;
            /** @enum {string} */
            op: "add-column";
            /** @description The value of all its cells. */
            value?: string;
        } | {
            /** @description The column's name. */
            column: string;
            /** @description Its new name. */
            name: string;
            /** @enum {string} */
            op: "rename";
        } | {
            /** @description The column's name. */
            column: string;
            /** @description The value. */
            from: string;
            /** @enum {string} */
            op: "rename-value";
            /** @description What it becomes. */
            to: string;
        } | {
            /** @description The item. */
            from: string;
            /** @enum {string} */
            op: "rename-item";
            /** @description Its new name. */
            to: string;
        };
        /** @description A part of a list. */
        EntriesPage: {
            /** @description Whether an entry may ask for values of columns. */
            conditions: boolean;
            /** @description The entries. */
            entries: components["schemas"]["EntryView"][];
            /** @description Whether items of an entry have an order. */
            ordered: boolean;
            /** @description Whether an entry is a single item. */
            single: boolean;
            /**
             * Format: int64
             * @description How many there are that fit what is searched for.
             */
            total: number;
        };
        /** @description One line of a list. */
        Entry: {
            /**
             * @description Of a query: what is wanted of columns.
             * @default []
             */
            conditions?: components["schemas"]["Condition"][];
            /**
             * @description Items, in this order where order means something.
             * @default []
             */
            items?: string[];
        };
        /** @description A change of a list. */
        EntryEdit: {
            /** @description The entry. */
            entry: components["schemas"]["Entry"];
            /** @enum {string} */
            op: "add";
        } | {
            /**
             * Format: int64
             * @description Its place, from 0.
             */
            at: number;
            /** @description The entry. */
            entry: components["schemas"]["Entry"];
            /** @enum {string} */
            op: "replace";
        } | {
            /**
             * Format: int64
             * @description Its place, from 0.
             */
            at: number;
            /** @enum {string} */
            op: "remove";
        };
        /** @description An entry, and where it stands. */
        EntryView: {
            /**
             * Format: int64
             * @description Its place in the list, from 0.
             */
            at: number;
            /** @description The entry. */
            entry: components["schemas"]["Entry"];
        };
        /** @description What a run will cost, roughly. */
        Estimate: {
            /** @description What the estimate rests on. */
            basis: string;
            /**
             * Format: int64
             * @description Events of the data.
             */
            events: number;
            /**
             * Format: double
             * @description Seconds at most, unless the data is unusual.
             */
            seconds_high: number;
            /**
             * Format: double
             * @description Seconds at least.
             */
            seconds_low: number;
        };
        /** @description A file of a finished job. */
        FileView: {
            /**
             * Format: int64
             * @description Its size.
             */
            bytes: number;
            /** @description Its name. */
            name: string;
            /** @description Whether it is for the publisher alone: it is no part of the release, nor of its zip. */
            private: boolean;
        };
        /** @description What can be used on the data. */
        Fits: {
            /** @description Inputs that something uses which takes data of this kind, by the name of their flag. */
            inputs: string[];
            /** @description Every measure. */
            measures: components["schemas"]["FitView"][];
            /** @description Every method. */
            methods: components["schemas"]["FitView"][];
            /** @description Every promise. */
            promises: components["schemas"]["FitView"][];
        };
        /** @description Whether something can be used on the data. */
        FitView: {
            /** @description One way out. */
            help: components["schemas"]["Help"];
            /** @description Required inputs that are missing or have a problem, by the name of their flag. */
            missing: string[];
            /** @description The method, promise or measure. */
            name: string;
            /** @description Whether it can. */
            ok: boolean;
            /** @description Whether one of them is there and has a problem. */
            repair: boolean;
            /** @description Why not. */
            why: string;
        };
        /** @description People who went on from one item to another. */
        FlowView: {
            /** @description The item they came from. */
            from: string;
            /**
             * Format: int64
             * @description How many people did so at least once.
             */
            people: number;
            /** @description The item they went on to. */
            to: string;
        };
        /** @description The frequencies of a column, or of the items. */
        Frequencies: {
            /** @description The column; absent for items. */
            column?: string | null;
            /** @description The most frequent of them. */
            original: components["schemas"]["OriginalValue"][];
            /** @description How many different values the data have. */
            original_total: number;
            /** @description The most frequent of them. */
            released: components["schemas"]["ReleasedValue"][];
            /** @description How many different values are released. */
            released_total: number;
        };
        /** @description What a measure answers with, and what asking costs. */
        Gauge: {
            /** @description What asking costs: `pass`, `queries` or `mining`. */
            cost: string;
            /** @description The numbers it gives, the most telling first. */
            scales: components["schemas"]["Scale"][];
        };
        /** @description How to make an input. */
        Generation: {
            /**
             * Format: int32
             * @description Hierarchies: intervals at the lowest level.
             * @default null
             */
            bins?: number | null;
            /**
             * @description Taxonomy and hierarchies: by what values are put together: `width`, `depth`, `frequency`, `name`, `z-order`, `date` or
             *     `prefix`.
             * @default null
             */
            by?: string | null;
            /**
             * Format: int32
             * @description Queries: the most columns of people that are asked for beside items.
             * @default null
             */
            columns?: number | null;
            /**
             * Format: int32
             * @description Queries: how many.
             * @default null
             */
            count?: number | null;
            /**
             * @description Policy: `km`, `records` or `frequency`.
             * @default null
             */
            derive?: string | null;
            /**
             * Format: int32
             * @description Taxonomy and hierarchies: children a node, 2 to 1,000.
             * @default null
             */
            fanout?: number | null;
            /**
             * @description Records and places: whether the first value counts where a person or an item has several.
             * @default false
             */
            first_value?: boolean;
            /**
             * @description Hierarchies: the lowest number or date there can be; that of the data when it is empty.
             * @default null
             */
            from?: string | null;
            /**
             * Format: int32
             * @description Constraints: number of sets.
             * @default null
             */
            groups?: number | null;
            /**
             * Format: int32
             * @description Policy: people needed.
             * @default null
             */
            k?: number | null;
            /**
             * Format: int32
             * @description Policy: items that an attacker may know.
             * @default null
             */
            m?: number | null;
            /** @default null */
            order?: components["schemas"]["Grouping"] | null;
            /**
             * @description Places: whether coordinates are x and y of a plane, rather than latitude and longitude.
             * @default false
             */
            plane?: boolean;
            /**
             * Format: int64
             * @description Queries: draws them.
             * @default null
             */
            seed?: number | null;
            /**
             * @description Queries: items in a query, the fewest and the most.
             * @default null
             */
            sizes?: number[] | null;
            /**
             * @description Records: the columns of the events that belong to the person. Places: those of the two coordinates, and perhaps of the category.
             * @default null
             */
            take?: string[] | null;
            /**
             * @description Hierarchies: the highest number or date there can be.
             * @default null
             */
            to?: string | null;
        };
        /**
         * @description Three grades.
         * @enum {string}
         */
        Grade: "good" | "limited" | "poor";
        /** @description A grid over the points, before its cells are the places. */
        GridView: {
            /** @description Why this one, where it was chosen from the data. */
            because?: string | null;
            /** @description The side of a cell, as it can be asked for; empty where none fits the data, and the area is cut ten by ten. */
            cell: string;
            /**
             * Format: int64
             * @description Events at cells that would be made of them.
             */
            events: number;
            /**
             * Format: int32
             * @description What fewer people than this are.
             */
            few_people: number;
            /** @description The cells with their people, and some of the points. */
            map: components["schemas"]["MapView"];
            /**
             * Format: int64
             * @description Cells with people in them.
             */
            places: number;
            /**
             * Format: int64
             * @description Points in the file.
             */
            points: number;
            /**
             * Format: int64
             * @description Cells with so few people that they tell who was there.
             */
            rare_places: number;
            /**
             * Format: int64
             * @description Those that could only be reached too fast, and are left out.
             */
            too_fast: number;
        };
        /**
         * @description In which order items are put together.
         * @enum {string}
         */
        Grouping: "name" | "frequency" | "space";
        /** @description Something that happened to a job. */
        Happening: {
            /** @description JSON: the whole job, how far it is, or `{"text": ...}`. */
            data: string;
            /** @description `state`, `progress` or `message`. */
            event: string;
        };
        /** @description A sentence without a final stop that says what to change, and why. */
        Help: components["schemas"]["HelpPart"][];
        /** @description A part of a [`Help`]. */
        HelpPart: string | components["schemas"]["Change"] | {
            /** @description Its words, without the name of the program. */
            command: string;
        };
        /** @description How often values, or ranges of them, occur. */
        Histogram: {
            /** @description The bars, in order. */
            bars: components["schemas"]["Bar"][];
            /** @description Whether ranges are seconds since 1970: an axis then has the ticks of a calendar. */
            calendar: boolean;
            /** @description The column, or what is counted. */
            column: string;
            /**
             * Format: int64
             * @description How often values without a bar of their own occur.
             */
            other?: number | null;
            /**
             * Format: int64
             * @description Everything counted, `other` included.
             */
            total: number;
        };
        /** @description How far the history goes. */
        History: {
            /**
             * Format: int64
             * @description Edits that can be carried out again.
             */
            redo: number;
            /**
             * Format: int64
             * @description Rows of the working table.
             */
            rows: number;
            /**
             * Format: int64
             * @description Edits that can be taken back.
             */
            undo: number;
        };
        /** @description A file beside the data. */
        InputEntry: {
            /** @description What it is. */
            describe: string;
            /** @description The name in addresses and, with two dashes, on the command line. */
            flag: string;
            /** @description The name that `needs` of descriptors uses. */
            name: string;
        };
        /** @description A file beside the data. */
        InputView: {
            /** @description Which input: the name of its flag, and for a column `hierarchy:COLUMN`. */
            input: string;
            /** @description What the file was called. */
            name: string;
            /** @description What the publisher should know of an input that was just made from the data. */
            note?: string | null;
            outdated?: components["schemas"]["TakenColumns"] | null;
            /** @description Why it cannot be used with the data as it is now. */
            problem?: string | null;
            /**
             * Format: int64
             * @description Lines with content, but for a header.
             */
            rows: number;
        };
        /** @description An item. */
        ItemHit: {
            /** @description What kind of place it is, if places say so. */
            category?: string | null;
            /** @description Its name. */
            item: string;
            /**
             * Format: int64
             * @description Number of people.
             */
            people: number;
        };
        /** @description A job. */
        Job: {
            /** @description The same as a command. */
            command: string;
            /** @description When it was asked for. */
            created: string;
            estimate?: components["schemas"]["Estimate"] | null;
            /** @description When it ended. */
            finished?: string | null;
            /** @description Its identifier. */
            id: string;
            /** @description `anonymize`, `compare` or `recommend`. */
            kind: string;
            /** @description What the user wrote about it. */
            note: string;
            /** @description Whether it is kept in view. */
            pinned: boolean;
            problem?: components["schemas"]["Problem"] | null;
            /** @description How far it is. */
            progress: components["schemas"]["ProgressView"];
            /** @description The project it belongs to. */
            project: string;
            /** @description When its checklist was completed. */
            published?: string | null;
            /** @description The same as a recipe. */
            recipe: string;
            /**
             * Format: double
             * @description How long it ran.
             */
            seconds?: number | null;
            /** @description What was asked for. */
            spec: Record<string, never>;
            /** @description When it began. */
            started?: string | null;
            /** @description Where it is in its life. */
            state: components["schemas"]["JobState"];
        };
        /** @description What came of a job, by its kind. */
        JobResult: (components["schemas"]["AnonymizeResult"] & {
            /** @enum {string} */
            kind: "anonymize";
        }) | (components["schemas"]["CompareResult"] & {
            /** @enum {string} */
            kind: "compare";
        }) | (components["schemas"]["RecommendResult"] & {
            /** @enum {string} */
            kind: "recommend";
        });
        /** @description A job to be done. */
        JobSpec: (components["schemas"]["AnonymizeSpec"] & {
            /** @enum {string} */
            kind: "anonymize";
        }) | (components["schemas"]["CompareSpec"] & {
            /** @enum {string} */
            kind: "compare";
        }) | (components["schemas"]["RecommendSpec"] & {
            /** @enum {string} */
            kind: "recommend";
        });
        /**
         * @description Where a job is in its life.
         * @enum {string}
         */
        JobState: "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";
        /** @description Something that a release should keep. */
        KeepEntry: {
            /** @description What it means. */
            describe: string;
            /** @description The measures that judge it, by kind of data: it can be asked for where one of them fits. */
            measures: string[];
            /** @description The word that requests and the command line use. */
            name: string;
        };
        /** @description What an edit left. */
        Leaves: {
            /**
             * Format: int64
             * @description Leaves of the whole tree.
             */
            leaves: number;
        };
        /**
         * @description Whether the ledger could be asked.
         * @enum {string}
         */
        LedgerState: "preparing" | "ready" | "unavailable";
        /** @description What the ledger says about a release. */
        LedgerView: {
            /** @description What it calls the data: releases of one dataset are of the same people. */
            dataset?: string | null;
            /** @description Earlier releases of the same people, the latest first. */
            earlier: components["schemas"]["EarlierView"][];
            /**
             * Format: double
             * @description What all releases of these people cost a person's privacy budget together.
             */
            epsilon?: number | null;
            /**
             * Format: int64
             * @description Lines of the ledger that were changed or cannot be read.
             */
            faults: number;
            /**
             * Format: int64
             * @description The release's number in it, once it is recorded.
             */
            number?: number | null;
            /** @description Its file. */
            place?: string | null;
            /** @description Why it cannot be used. */
            problem?: string | null;
            /** @description Numbers of earlier releases with the same bytes: publishing them again tells readers nothing more. */
            same: number[];
            /** @description Whether it could be asked. */
            state: components["schemas"]["LedgerState"];
            /** @description Numbers of earlier releases of which it cannot be told whether they have people in common with this one. */
            unknown: number[];
            /** @description What the publisher has to know, in plain words; absent when there is nothing to warn of. */
            warning?: string | null;
        };
        /** @description Limits of this server. */
        LimitsView: {
            /**
             * Format: int64
             * @description Bytes of a file that is uploaded.
             */
            upload_bytes: number;
            /**
             * Format: int64
             * @description People of a sample world.
             */
            world_subjects: number;
        };
        /** @description The first of many. */
        Listed_Generalised: {
            /** @description The first of them. */
            first: {
                /** @description As released. */
                item: string;
                /** @description The first of those it may stand for. */
                members: string[];
                /**
                 * Format: int64
                 * @description How many it may stand for.
                 */
                members_total: number;
                /**
                 * Format: int64
                 * @description People who have it.
                 */
                people?: number | null;
            }[];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The first of many. */
        Listed_Reason: {
            /** @description The first of them. */
            first: {
                /** @description What was done. */
                did: string;
                /** @description To which items. */
                items: string[];
                /**
                 * Format: int64
                 * @description People it needed.
                 */
                needed: number;
                /** @description The pattern that was too rare. */
                pattern: string[];
                /**
                 * Format: int64
                 * @description People who had it.
                 */
                support: number;
            }[];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description An item that no longer occurs. */
        LostItem: {
            /** @description Its name. */
            item: string;
            /**
             * Format: int64
             * @description People who had it.
             */
            people: number;
        };
        /** @description The part of a manifest that screens show. */
        Manifest: {
            columns_verdict?: components["schemas"]["ColumnsVerdict"] | null;
            /** @description What the rows are where they are no events of records: `counts`. */
            form?: string | null;
            /** @description The method's name. */
            method: string;
            /** @description Whether the events really happened: `truthful`, `perturbed` or `synthetic`. */
            nature: string;
            /** @description The columns of a released table. */
            table: components["schemas"]["PublishedColumn"][];
            usefulness?: components["schemas"]["Usefulness"] | null;
        };
        /** @description A map. */
        MapView: {
            /** @description West, south, east, north. */
            bounds: number[];
            /** @description A GeoJSON FeatureCollection; `people` among the properties says how many. */
            features: Record<string, never>;
            /** @description `degrees` or `plane`. */
            system: string;
        };
        /** @description What one measure answered. */
        Measured: {
            /** @description Its name in the catalogue. */
            measure: string;
            /** @description Why it has none. */
            problem?: string | null;
            /** @description Its numbers, the most telling first. */
            readings: components["schemas"]["ScaleReading"][];
        };
        /** @description Measures to ask. */
        MeasureRequest: {
            /** @description Their names in the catalogue. */
            measures: string[];
        };
        /** @description A part of the members of a released item. */
        MembersPage: {
            /** @description The item as it is released. */
            item: string;
            /** @description Original items that it may stand for. */
            members: string[];
            /**
             * Format: int64
             * @description How many fit what was searched.
             */
            total: number;
        };
        /** @description A method with settings. */
        MethodSpec: {
            /**
             * @description What this configuration of it is called, where the method stands in several.
             * @default null
             */
            label?: string | null;
            /**
             * @description The method's name.
             * @default
             */
            name?: string;
            /**
             * @description Parameters that differ from the defaults.
             * @default {}
             */
            settings?: {
                [key: string]: components["schemas"]["Scalar"];
            };
            /**
             * @description `sound` or `as-printed`.
             * @default null
             */
            variant?: string | null;
        };
        /** @description An input, and whether it can be done without. */
        Need: {
            /** @description The input's name in the catalogue. */
            input: string;
            /** @description Another input that will do in its place. */
            instead?: string | null;
            /** @description Whether nothing runs without it. */
            required: boolean;
        };
        /** @description A project to be made from a sample world. */
        NewProject: {
            form?: components["schemas"]["DataForm"] | null;
            /** @description What to call it. */
            name?: string | null;
            /**
             * Format: int64
             * @description Draws the people.
             */
            seed?: number | null;
            /**
             * Format: int64
             * @description Number of people.
             */
            subjects?: number | null;
            /** @description The world's name. */
            world: string;
        };
        /** @description Some nodes of the taxonomy. */
        NodesPage: {
            /** @description The nodes. */
            nodes: components["schemas"]["NodeView"][];
            /**
             * Format: int64
             * @description How many there are in all.
             */
            total: number;
        };
        /** @description A node of the taxonomy. */
        NodeView: {
            /**
             * Format: int64
             * @description Children.
             */
            children: number;
            /** @description Its identifier. */
            id: string;
            /**
             * Format: int64
             * @description Leaves below it.
             */
            leaves: number;
            /** @description Its name. */
            name: string;
            /** @description Its parent; absent for the root. */
            parent?: string | null;
        };
        /** @description A problem to solve before a run. */
        Objection: {
            /** @description What is wrong. */
            detail: string;
            /** @description The parameter, `method`, `data` or the input it is about. */
            field?: string | null;
            help?: components["schemas"]["Help"] | null;
        };
        /** @description An original value, and how far one is off who reads its frequency from the release. */
        OriginalValue: {
            /**
             * Format: double
             * @description The relative difference.
             */
            error: number;
            /**
             * Format: double
             * @description How often it seems to, read from the release.
             */
            estimate: number;
            /**
             * Format: int64
             * @description How often it occurs in the data.
             */
            original: number;
            /** @description The value. */
            value: string;
        };
        /** @description One parameter. */
        Param: {
            /** @description Default as a user would type it; absent means that it must be given. */
            default?: string | null;
            /** @description One line for people. */
            help: string;
            /** @description Type and range. */
            kind: components["schemas"]["ParamKind"];
            /** @description Its name in recipes and forms. */
            name: string;
        };
        /** @description The type and range of a parameter. */
        ParamKind: {
            /**
             * Format: int64
             * @description Largest value allowed.
             */
            max: number;
            /**
             * Format: int64
             * @description Smallest value allowed.
             */
            min: number;
            /** @enum {string} */
            type: "integer";
        } | {
            /**
             * Format: int64
             * @description Largest value allowed.
             */
            max: number;
            /**
             * Format: int64
             * @description Smallest value allowed.
             */
            min: number;
            /** @enum {string} */
            type: "integerormax";
        } | {
            /**
             * Format: double
             * @description Largest value allowed.
             */
            max: number;
            /**
             * Format: double
             * @description Smallest value allowed.
             */
            min: number;
            /** @enum {string} */
            type: "number";
        } | {
            /** @enum {string} */
            type: "share";
        } | {
            /** @enum {string} */
            type: "threshold";
        } | {
            /** @enum {string} */
            type: "choice";
            /** @description The words. */
            words: string[];
        } | {
            /** @enum {string} */
            type: "switch";
        } | {
            /** @enum {string} */
            type: "column";
        };
        /** @description Patterns, or how far the search is. */
        PatternsAnswer: {
            /** @description Whether nothing is missing because time was up. */
            complete: boolean;
            /** @description Whether order, or the direction of edges, counts. */
            directed: boolean;
            /**
             * Format: int64
             * @description How many were found, those that are not shown included.
             */
            found: number;
            /**
             * Format: int64
             * @description The support that was enough.
             */
            min_support: number;
            /**
             * Format: int64
             * @description What a support is out of: the people, or the nodes of the graph of items.
             */
            out_of: number;
            /** @description The largest supports first. */
            patterns: components["schemas"]["PatternView"][];
            progress?: components["schemas"]["PhaseView"] | null;
            /** @description Whether they are there. */
            state: components["schemas"]["PatternsState"];
        };
        /**
         * @description Whether the patterns are there.
         * @enum {string}
         */
        PatternsState: "preparing" | "ready";
        /** @description A pattern. */
        PatternView: {
            /** @description Edges of a subgraph: places among the nodes. */
            edges: number[][];
            /** @description Items in order, items of a set, or the labels of a subgraph's nodes. */
            nodes: string[];
            /**
             * Format: int64
             * @description How many people have it; of a subgraph, how many items can stand for each node.
             */
            support: number;
        };
        /** @description The phase under way. */
        PhaseView: {
            /**
             * Format: int64
             * @description How much was done.
             */
            done: number;
            /** @description Its name. */
            phase: string;
            /**
             * Format: int64
             * @description Of how much, if that is known.
             */
            total?: number | null;
        };
        /** @description What the attacker learns. */
        PlayAnswer: {
            /**
             * Format: int64
             * @description How many people fit.
             */
            matches: number;
            /**
             * Format: int64
             * @description Of how many.
             */
            of: number;
            /**
             * @description Sensitive items and values of attributes among those who fit, the most common first; absent when nothing is
             *     sensitive.
             */
            sensitive?: components["schemas"]["SharedSecret"][] | null;
            /** @description What they have in common, the most common first. */
            shared_items: components["schemas"]["SharedItem"][];
        };
        /** @description What the attacker knows. */
        PlayRequest: {
            /** @description Events of a person. */
            know: components["schemas"]["ClueRequest"][];
            /** @description Whether their order is known. */
            ordered?: boolean;
            /** @description A finished job whose release is attacked instead of the data. */
            release?: string | null;
        };
        /** @description How points become places. */
        PointsRequest: {
            /**
             * @description Whether to go on where nearly all points are dropped, or next to no places are left.
             * @default false
             */
            accept_loss?: boolean;
            /**
             * @description The side of a cell: `500m`, `1km`, or a number on a plane; chosen from the data when it is empty.
             * @default null
             */
            cell?: string | null;
        };
        /** @description A promise in plain language. */
        Preset: {
            /** @description A method that keeps the promise. */
            method: string;
            /** @description A name for programs. */
            name: string;
            /** @description The promise behind it. */
            promise: string;
            /** @description What that means, for a user who has never heard of k-anonymity. */
            says: string;
            /** @description Settings that differ from the method's defaults, as typed. */
            settings: {
                [key: string]: string;
            };
            /** @description What the publisher can say afterwards. */
            title: string;
        };
        /** @description A refusal, as `application/problem+json`. */
        Problem: {
            /** @description What went wrong, where, and which limit. */
            detail: string;
            /** @description The field of the request, or the parameter, that is wrong. */
            field?: string | null;
            help?: components["schemas"]["Help"] | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The same for people. */
            title: string;
            /**
             * @description A name for programs.
             * @example urn:throng:not-found
             */
            type: string;
        };
        /** @description How far a job is. */
        ProgressView: {
            /**
             * Format: int64
             * @description How much of it was done.
             * @default 0
             */
            done?: number;
            /**
             * Format: double
             * @description Seconds until the phase ends, as far as one can tell.
             * @default null
             */
            eta_seconds?: number | null;
            /**
             * @description What the job said; left out of `progress` events.
             * @default []
             */
            messages?: string[];
            /**
             * @description The phase under way.
             * @default null
             */
            phase?: string | null;
            /**
             * @description Phases that ended, with seconds.
             * @default []
             */
            phases?: [
                string,
                number
            ][];
            /**
             * Format: int64
             * @description Of how much, if that is known.
             * @default null
             */
            total?: number | null;
        };
        /** @description A project. */
        Project: {
            /** @description When it was made. */
            created: string;
            /**
             * Format: int64
             * @description Events, once counted.
             */
            events?: number | null;
            /** @description Its identifier. */
            id: string;
            /**
             * Format: int64
             * @description Jobs that wait or run.
             */
            jobs_running: number;
            /** @description What people call it. */
            name: string;
            /** @description When it was last looked at. */
            opened: string;
            /** @description What its data was called where it came from. */
            source: string;
            /**
             * Format: int64
             * @description People, once counted.
             */
            subjects?: number | null;
        };
        /** @description A change of a project. */
        ProjectChange: {
            /** @description What to call it. */
            name: string;
        };
        /** @description Where everything is. */
        Published: {
            /** @description The release directory as one file. */
            download: string;
            ledger?: components["schemas"]["LedgerView"] | null;
            /** @description The recipe. */
            recipe: string;
            /** @description The report. */
            report: string;
        };
        /** @description A column of a released table. */
        PublishedColumn: {
            /** @description Its name. */
            name: string;
            /** @description What it is to an attacker. */
            role: string;
        };
        /** @description A wish to publish. */
        PublishRequest: {
            /** @description The points of the release's checklist, by key: all of them have to be confirmed. */
            checklist: {
                [key: string]: boolean;
            };
            /** @description What the ledger calls the data; the name of the project unless given. */
            dataset?: string | null;
            /** @description Whether a release is to be published although the data changed since. Never when people were removed since. */
            earlier_state?: boolean;
            /** @description Whether to record it in the release ledger. Otherwise there is no warning when these people are released again. */
            ledger?: boolean;
        };
        /** @description What is unclear about the columns, and which of them could be meant. */
        QuestionView: {
            /** @description The role it is about. */
            about: string;
            /** @description Columns that could be the answer. */
            candidates: string[];
            /** @description What is unclear. */
            what: string;
        };
        /**
         * @description A verdict in one word, as `throng verify` prints it.
         * @enum {string}
         */
        ReaderAnswer: "holds" | "does-not-hold" | "judged-in-part" | "not-judged";
        /** @description What `throng verify` answers to a reader of the published files. */
        ReaderVerdict: {
            /** @description The answer. */
            answer: components["schemas"]["ReaderAnswer"];
            /** @description The same in plain words, with what would make it whole. */
            words: string[];
        };
        /** @description One number of a measure. */
        Reading: {
            better?: components["schemas"]["Better"] | null;
            /** @description What it says. */
            help?: string | null;
            /** @description The scale's name. */
            name: string;
            /**
             * Format: double
             * @description The number.
             */
            value: number;
        };
        /** @description How the file is read beside the roles. */
        ReadingView: {
            /** @description What separates columns, if there are any. */
            delimiter?: string | null;
            /** @description How letters are stored, if the user said so. */
            encoding?: string | null;
            /** @description Whether every line is a record: its items in order. */
            lines: boolean;
            /** @description Whether the first line is a row. */
            no_header: boolean;
            /** @description What separates items in it. */
            separator?: string | null;
            /** @description The sheet of a workbook, if the user said so. */
            sheet?: string | null;
            /** @description How times are written. */
            time_format?: string | null;
            /** @description The column that holds all items of a record. */
            wide?: string | null;
        };
        /** @description What came of trying methods. */
        RecommendResult: {
            /** @description All that was tried, and what could not be. */
            candidates: components["schemas"]["Candidate"][];
            choice?: components["schemas"]["Choice"] | null;
            /** @description The scale that decided. */
            scale: string;
            /** @description Why, in words. */
            why: string;
        };
        /** @description A recommendation to be made. */
        RecommendSpec: {
            /**
             * @description How many events of a person an attacker may know, or `all`, in place of a promise.
             * @default null
             */
            attacker_knows?: string | null;
            /**
             * @description What should be kept, by its name in the catalogue.
             * @default null
             */
            keep?: string | null;
            /**
             * @description The promise's name; empty where `attacker_knows` says what is meant.
             * @default
             */
            promise?: string;
            /**
             * @description Its parameters.
             * @default {}
             */
            settings?: {
                [key: string]: components["schemas"]["Scalar"];
            };
            /**
             * @description Whether every released event must really have happened.
             * @default false
             */
            truthful?: boolean;
        };
        /** @description Exact sizes. */
        ReleaseCounts: {
            /**
             * Format: int64
             * @description Records of the release without events.
             */
            empty_records: number;
            /**
             * Format: int64
             * @description Events of the release.
             */
            events_after: number;
            /**
             * Format: int64
             * @description Events of the data.
             */
            events_before?: number | null;
            /**
             * Format: int64
             * @description Distinct items of the release.
             */
            items_after: number;
            /**
             * Format: int64
             * @description Distinct items of the data.
             */
            items_before?: number | null;
            /**
             * Format: int64
             * @description Records, those without events included.
             */
            records: number;
            /**
             * Format: int64
             * @description People; absent where noise hides how many there are.
             */
            subjects?: number | null;
        };
        /** @description A released value, and how often what it covers occurs in the data. */
        ReleasedValue: {
            /** @description How many original values it may stand for. */
            covers: number;
            /**
             * Format: int64
             * @description How often the values that it covers occur in the data.
             */
            original: number;
            /**
             * Format: int64
             * @description How often it occurs in the release.
             */
            released: number;
            /** @description As written. */
            value: string;
        };
        /** @description A page of a released table. */
        ReleaseRows: {
            /** @description Names of the columns. */
            columns: string[];
            /** @description One value for each column. */
            rows: string[][];
            /**
             * Format: int64
             * @description Rows of the whole table.
             */
            total: number;
        };
        /** @description The answer of a promise's own checker. */
        ReleaseVerdict: {
            /**
             * Format: int64
             * @description Cases looked at.
             */
            checked: number;
            /** @description Whether it holds. */
            holds: boolean;
            /** @description The promise in plain words. */
            statement: string;
        };
        /** @description The attacker curve, or how far it is. */
        RiskAnswer: components["schemas"]["RiskView"] & {
            progress?: components["schemas"]["PhaseView"] | null;
            /** @description Whether it is there. */
            state: components["schemas"]["RiskState"];
            /** @description Where columns may be known beside the events: what both give away together, by how many columns are known. */
            together: components["schemas"]["TogetherView"][];
        };
        /** @description What attackers who know so many events can do. */
        RiskPointView: {
            /** @description People whom fewer than `below` fit. */
            below: components["schemas"]["ShareView"];
            /**
             * Format: double
             * @description Chance of picking the right person, on average.
             */
            expected?: number | null;
            /**
             * Format: int64
             * @description How many events they know.
             */
            known: number;
            /** @description People who are the only one that fits. */
            singled_out: components["schemas"]["ShareView"];
        };
        /**
         * @description Whether the attacker curve is there.
         * @enum {string}
         */
        RiskState: "preparing" | "ready";
        /** @description What attackers can do. */
        RiskView: {
            /**
             * Format: int64
             * @description The size of a crowd that is too small.
             */
            below: number;
            /**
             * Format: int64
             * @description People with events.
             */
            people: number;
            /** @description One point for each number of known events. */
            points: components["schemas"]["RiskPointView"][];
            /** @description Whether these are a sample. */
            sampled: boolean;
            /**
             * Format: int64
             * @description People looked for.
             */
            targets: number;
        };
        /** @description The columns that are used, by role. */
        RolesView: {
            /** @description The item. */
            item?: string | null;
            /** @description The record. */
            record?: string | null;
            /** @description The person. */
            subject?: string | null;
            /** @description The time. */
            time?: string | null;
        };
        /** @description A page of the working table. */
        RowsPage: {
            /** @description Names of the columns. */
            columns: string[];
            /**
             * Format: int64
             * @description Rows passed over.
             */
            offset: number;
            /** @description Rows: the row's number, then its cells. */
            rows: unknown[][];
            /**
             * Format: int64
             * @description Rows that the filter leaves.
             */
            total: number;
        };
        /** @description One record before and after. */
        Sample: {
            /** @description As they are released. */
            after: string[];
            /**
             * Format: int64
             * @description How many there are.
             */
            after_total: number;
            /** @description Items or cells as they were, the first of many. */
            before: string[];
            /**
             * Format: int64
             * @description How many there were.
             */
            before_total: number;
        };
        /** @description Some records before and after, for the publisher. */
        Samples: {
            /** @description The columns of a table, or nothing: then a record is a list of items. */
            columns: string[];
            /** @description The records. */
            rows: components["schemas"]["Sample"][];
        };
        /** @description The value of a parameter as a form sends it. */
        Scalar: boolean | number | string;
        /** @description One number of a measure, and how to read it. */
        Scale: {
            /** @description Which way is better. */
            better: components["schemas"]["Better"];
            /** @description What it says, in one line. */
            help: string;
            /**
             * Format: double
             * @description Largest value possible; absent where there is none.
             */
            max?: number | null;
            /**
             * Format: double
             * @description Smallest value possible.
             */
            min?: number | null;
            /** @description Its name in tables and recipes. */
            name: string;
        };
        /** @description A number, and how to read it. */
        ScaleReading: {
            /** @description How to read it. */
            scale: components["schemas"]["Scale"];
            /**
             * Format: double
             * @description The number.
             */
            value: number;
        };
        /** @description This server. */
        Session: {
            /** @description Where projects are kept. */
            data_dir: string;
            /** @description Limits. */
            limits: components["schemas"]["LimitsView"];
            /** @description The program. */
            program: string;
            /** @description Its version. */
            version: string;
        };
        /** @description An item that several have in common. */
        SharedItem: {
            /** @description The item. */
            item: string;
            /**
             * Format: int64
             * @description How many of those who fit have it.
             */
            people: number;
        };
        /** @description A secret that several have in common. */
        SharedSecret: {
            /** @description The attribute whose value it is; absent for a sensitive item. */
            attribute?: string | null;
            /**
             * Format: int64
             * @description How many of those who fit have it.
             */
            people: number;
            /**
             * Format: double
             * @description Their share.
             */
            share: number;
            /** @description The secret. */
            value: string;
        };
        /** @description A share of the people looked for. */
        ShareView: {
            /**
             * Format: int64
             * @description How many of them.
             */
            count: number;
            /**
             * Format: double
             * @description Upper end.
             */
            high?: number | null;
            /**
             * Format: double
             * @description Lower end of the 95% interval, where people are a sample.
             */
            low?: number | null;
            /**
             * Format: double
             * @description Their share.
             */
            share: number;
        };
        /** @description How much was taken away, and the first of the items that no longer occur. */
        Suppression: {
            /**
             * Format: int64
             * @description Records that had events and lost all of them.
             */
            emptied_records: number;
            /**
             * Format: int64
             * @description Events suppressed.
             */
            events: number;
            /**
             * Format: double
             * @description As a share of all events.
             */
            events_share: number;
            /** @description Items that no longer occur, with the people who had them. */
            first: components["schemas"]["LostItem"][];
            /**
             * Format: int64
             * @description Original items that no longer occur at all.
             */
            items: number;
            /**
             * Format: int64
             * @description Rows of a table of which nothing is said any more.
             */
            rows: number;
        };
        /** @description Something of the data, and which share of it is left. */
        Survived: {
            /** @description The words behind the percentage. */
            about: string;
            /**
             * Format: double
             * @description The share that is left.
             */
            share: number;
            /** @description What: events, items, rows, cells, patterns or queries. */
            what: string;
        };
        /** @description What an attacker who knows all columns of a person can do. */
        TableRisk: {
            /** @description With the release. */
            after: components["schemas"]["AllKnown"];
            /** @description With the data. */
            before: components["schemas"]["AllKnown"];
            /**
             * Format: double
             * @description How surely a sensitive value is guessed without knowing anything.
             */
            by_chance?: number | null;
            /**
             * Format: int64
             * @description How many columns there are to know.
             */
            columns: number;
        };
        /** @description The columns that an input was taken from. */
        TakenColumns: {
            /** @description Their names, as they were. */
            columns: string[];
            /** @description Whether the first value counted. */
            first_value: boolean;
            /** @description Whether coordinates are x and y of a plane. */
            plane: boolean;
        };
        /** @description A change of the taxonomy. */
        TaxonomyEdit: {
            /** @description The node. */
            id: string;
            /** @description Its new name. */
            name: string;
            /** @enum {string} */
            op: "rename";
        } | {
            /** @description The node. */
            id: string;
            /** @enum {string} */
            op: "move";
            /** @description Its new parent. */
            to: string;
        } | {
            /** @description Its name. */
            name: string;
            /** @enum {string} */
            op: "add";
            /** @description Its parent. */
            under: string;
        } | {
            /** @description The node. */
            id: string;
            /** @enum {string} */
            op: "remove";
        };
        /** @description What two releases give away together. */
        Together: {
            /** @description What the two break together though each keeps its promise, in plain words. */
            broken?: string[];
            /**
             * Format: int64
             * @description The crowd that both promise.
             */
            k: number;
            /** @description One point for each number of known events. */
            points: components["schemas"]["TogetherPoint"][];
            /**
             * Format: int64
             * @description People looked for.
             */
            targets: number;
            /** @description Why that is not known. */
            unknown?: string | null;
        };
        /** @description Shares of people, for attackers who know so many events. */
        TogetherPoint: {
            /**
             * Format: double
             * @description Whom fewer than `k` fit in both.
             */
            below_in_both: number;
            /**
             * Format: double
             * @description Whom fewer than `k` fit in the earlier release.
             */
            below_in_first: number;
            /**
             * Format: double
             * @description Whom fewer than `k` fit in this one.
             */
            below_in_second: number;
            /**
             * Format: int64
             * @description How many events they know.
             */
            known: number;
            /**
             * Format: double
             * @description Who are the only one that fits in both.
             */
            singled_out: number;
        };
        /** @description What attackers who know so many columns, and some events besides, can do. */
        TogetherView: {
            /**
             * Format: int64
             * @description How many columns they know.
             */
            columns: number;
            /** @description One point for each number of known events, from 0. */
            points: components["schemas"]["RiskPointView"][];
        };
        /** @description An item and how often it occurs. */
        TopItem: {
            /**
             * Format: int64
             * @description Number of events.
             */
            events: number;
            /** @description Its name. */
            item: string;
            /**
             * Format: int64
             * @description Number of people.
             */
            people: number;
        };
        /** @description What a release is good for, and why. */
        Usefulness: {
            /** @description The grade. */
            grade: components["schemas"]["Grade"];
            /** @description What it rests on, the worst first. */
            reasons: string[];
        };
        /** @description A value of a column. */
        ValueHit: {
            /**
             * Format: int64
             * @description Rows that have it.
             */
            rows: number;
            /** @description The value. */
            value: string;
        };
        /** @description A parameter that varies: given values, or a range. */
        Vary: {
            /**
             * Format: double
             * @description First value of a range.
             * @default null
             */
            from?: number | null;
            /**
             * @description The parameter's name.
             * @default
             */
            param?: string;
            /**
             * Format: double
             * @description Step of a range.
             * @default null
             */
            step?: number | null;
            /**
             * Format: double
             * @description Last value of a range.
             * @default null
             */
            to?: number | null;
            /**
             * @description The values.
             * @default []
             */
            values?: components["schemas"]["Scalar"][];
        };
        /** @description A sample world. */
        WorldEntry: {
            /**
             * Format: int64
             * @description Events of that many people.
             */
            events: number;
            /** @description What a row can be, the usual form first. */
            forms: components["schemas"]["DataForm"][];
            /**
             * Format: int64
             * @description Different items.
             */
            items: number;
            /** @description Its name. */
            name: string;
            /** @description What an item is, in the plural. */
            noun: string;
            /** @description What it is for. */
            purpose: string;
            /**
             * Format: double
             * @description Share of people singled out by two of their own events.
             */
            singled_out_by_2: number;
            /**
             * Format: int64
             * @description People, unless asked otherwise.
             */
            subjects: number;
            /** @description The same for a heading. */
            title: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
