// Written by `make web-types` from the server's own description. Do not edit.
// shapes 17032bb6bb74361d

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What the user says about a job. */
        Annotation: {
            /** @description A note. */
            note?: string | null;
            /** @description Whether to keep it in view. */
            pinned?: boolean | null;
        };
        /** @description A release to be made. */
        AnonymizeSpec: {
            /**
             * @description Whether columns may be published that single people out; it is recorded that they do.
             * @default false
             */
            accept_exposed_columns?: boolean;
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
             * @description Columns of the records to publish.
             * @default []
             */
            publish?: string[];
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
        /** @description Everything a form can offer. */
        Catalogue: {
            /** @description Kinds of attackers. */
            attackers: Record<string, never>[];
            /** @description Files beside the data. */
            inputs: components["schemas"]["InputEntry"][];
            /** @description Measures. */
            measures: Record<string, never>[];
            /** @description Methods. */
            methods: Record<string, never>[];
            /** @description Promises in plain language, with settings. */
            presets: Record<string, never>[];
            /** @description Promises. */
            promises: Record<string, never>[];
            /** @description Names of the promises that rest on secret noise: a seed that could be guessed would void them. */
            secret_noise: string[];
            /** @description Sample worlds. */
            worlds: components["schemas"]["WorldEntry"][];
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
             * @description Roles of columns of the data, by name. Columns not named keep theirs.
             * @default {}
             */
            roles?: {
                [key: string]: components["schemas"]["ColumnRole"];
            };
            /**
             * @description What separates items in it; empty for a blank.
             * @default null
             */
            separator?: string | null;
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
        /** @description A column of the data or of the records. */
        ColumnView: {
            /**
             * Format: int64
             * @description Distinct values.
             */
            distinct: number;
            /** @description What some values look like, without the values. */
            example_shapes: string[];
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
            role?: components["schemas"]["ColumnRole"] | null;
            /** @description The type that the user said the column of a table has. */
            said_kind?: string | null;
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
             * Format: int64
             * @description Seed of every random choice.
             * @default null
             */
            seed?: number | null;
            /** @default null */
            vary?: components["schemas"]["Vary"] | null;
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
        });
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
        DataForm: "sequences" | "sets" | "table";
        /** @description What is wrong with the data, and how to mend it on the screen. */
        DataProblem: {
            /** @description The column. */
            column?: string | null;
            /** @description What and where. */
            detail: string;
            /** @description One way out. */
            help: string;
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
            /** @description `sequences`, `timed`, `sets` or `table`; absent while the data cannot be read. */
            kind?: string | null;
            lengths?: components["schemas"]["Histogram"] | null;
            problem?: components["schemas"]["DataProblem"] | null;
            progress?: components["schemas"]["PhaseView"] | null;
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
            /** @description The column's name. */
            column: string;
            /** @description Its new name. */
            name: string;
            /** @enum {string} */
            op: "rename";
        } | {
            /** @description The item. */
            from: string;
            /** @enum {string} */
            op: "rename-item";
            /** @description Its new name. */
            to: string;
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
            help: string;
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
             * @description Hierarchies: the highest number or date there can be.
             * @default null
             */
            to?: string | null;
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
        /** @description How often values, or ranges of them, occur. */
        Histogram: {
            /** @description The bars, in order. */
            bars: components["schemas"]["Bar"][];
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
            /** @description Numbers of earlier releases with the same bytes: publishing them again tells nobody more. */
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
        /** @description A map. */
        MapView: {
            /** @description West, south, east, north. */
            bounds: number[];
            /** @description A GeoJSON FeatureCollection; `people` among the properties says how many. */
            features: Record<string, never>;
            /** @description `degrees` or `plane`. */
            system: string;
        };
        /** @description A method with settings. */
        MethodSpec: {
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
            /** @description One way out. */
            help?: string | null;
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
        /** @description A refusal, as `application/problem+json`. */
        Problem: {
            /** @description What went wrong, where, and which limit. */
            detail: string;
            /** @description The field of the request, or the parameter, that is wrong. */
            field?: string | null;
            /** @description One way out. */
            help?: string | null;
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
        /** @description A wish to publish. */
        PublishRequest: {
            /** @description The points of the release's checklist, by key: all of them have to be confirmed. */
            checklist: {
                [key: string]: boolean;
            };
            /** @description Whether a release is to be published although the data changed since. Never when people were removed since. */
            earlier_state?: boolean;
            /** @description Whether to record it in the release ledger. Otherwise nobody will be warned when these people are released again. */
            ledger?: boolean;
        };
        /** @description How the file is read beside the roles. */
        ReadingView: {
            /** @description What separates columns, if there are any. */
            delimiter?: string | null;
            /** @description What separates items in it. */
            separator?: string | null;
            /** @description How times are written. */
            time_format?: string | null;
            /** @description The column that holds all items of a record. */
            wide?: string | null;
        };
        /** @description A recommendation to be made. */
        RecommendSpec: {
            /**
             * @description What should be kept: `counts`, `patterns`, `distance` or `semantics`.
             * @default null
             */
            keep?: string | null;
            /**
             * @description The promise's name.
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
        };
        /** @description The attacker curve, or how far it is. */
        RiskAnswer: components["schemas"]["RiskView"] & {
            progress?: components["schemas"]["PhaseView"] | null;
            /** @description Whether it is there. */
            state: components["schemas"]["RiskState"];
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
            /** @description People whom nobody else fits. */
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
        /** @description The value of a parameter as a form sends it. */
        Scalar: boolean | number | string;
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
             * @description Whom nobody else fits in both.
             */
            singled_out: number;
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
