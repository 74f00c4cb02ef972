// How the inputs of the Meaning step are explained and made. Names and flags come from the catalogue; this is only about words.

export interface InputHelp {
  title: string;
  about: string;
  form: string;
  example: string;
  /** Whether it is short enough to be edited as text. */
  text: boolean;
  /** Whether it is a table, edited cell by cell. */
  table?: boolean;
  /** What one of its entries is called, and several, where it is a list. */
  entries?: [string, string];
  /** Questions for making one from the data. */
  generate?: { name: string; label: string; value: string; words?: string[] }[];
}

const HELP: Record<string, InputHelp> = {
  taxonomy: {
    title: "Taxonomy",
    about: "Which items belong together, and how those groups belong together. Methods that care about meaning replace an item by its group.",
    form: "leaf;parent;…;root, one item a line",
    example: "A1;north-west-1;north-west;city",
    text: false,
    generate: [
      { name: "by", label: "Put side by side", value: "", words: ["", "name", "frequency", "z-order", "prefix"] },
      { name: "fanout", label: "Members of a group", value: "5" },
    ],
  },
  places: { title: "Places", about: "Where the items are. Needed by methods that merge near places, and for maps.", form: "CSV: item,x,y or item,lat,lon", example: "item,x,y\nA1,50,50", table: true, text: false },
  sensitive: { title: "Sensitive items", about: "Items that an attacker must not infer, such as a clinic.", form: "an item a line", example: "Clinic", text: true, entries: ["sensitive item", "sensitive items"] },
  "sensitive-values": { title: "Sensitive values", about: "Values of an attribute that an attacker must not infer.", form: "COLUMN=VALUE,VALUE", example: "diagnosis=HIV", text: true },
  constraints: {
    title: "Utility constraints",
    about: "Items that may be merged with each other, and with no others, so that the release can still answer your questions.",
    form: "a set a line, items separated by commas",
    example: "A1,B1,C1",
    text: true, entries: ["set of items", "sets of items"],
    generate: [{ name: "groups", label: "Number of groups", value: "5" }],
  },
  queries: {
    title: "Query workload",
    about: "The questions the release should still answer: how many people have these items, in this order, or these values? Used to measure what is lost.",
    form: "one query a line: A1 > B7 for items, age = 20..29 or sex = f|m for columns, put together with ;",
    example: "A1 > B7; age = 20..29",
    text: true, entries: ["query", "queries"],
    generate: [
      { name: "count", label: "Number of queries", value: "100" },
      { name: "sizes", label: "Items in a query, of a table columns", value: "1,2" },
      { name: "columns", label: "Columns beside items, at most", value: "0" },
      { name: "seed", label: "Seed", value: "0" },
    ],
  },
  policy: {
    title: "Privacy policy",
    about: "Sets of items that an attacker may know of a person. Every one of them, and every part of one, has to fit no person or enough people.",
    form: "a set a line, items separated by commas",
    example: "bread,milk\nbeer",
    text: true, entries: ["privacy constraint", "privacy constraints"],
    generate: [
      { name: "derive", label: "Derive", value: "km", words: ["km", "records", "frequency"] },
      { name: "k", label: "People needed", value: "5" },
      { name: "m", label: "Known items", value: "2" },
    ],
  },
  patterns: { title: "Patterns to hide", about: "Sequences that must not be inferred about a person.", form: "a > b > c, one a line", example: "frontpage > health", text: true, entries: ["pattern", "patterns"] },
  "person-patterns": { title: "Patterns of single people", about: "Sequences that must not be inferred about one person each, beside those of the list. Who is not in it has none.", form: "CSV subject,pattern: a > b > c", example: "subject,pattern\np1,frontpage > health", table: true, text: true },
  alphabet: { title: "Public list of items", about: "All items that may occur; the list itself is public. Methods with noise need it, so that the list gives nothing away.", form: "a name a line", example: "frontpage", text: true, entries: ["name", "names"] },
  costs: { title: "Costs", about: "How much it hurts to generalise each item.", form: "CSV symbol,cost, or symbol,node,cost for one node of the taxonomy", example: "symbol,cost\nA1,2", table: true, text: true },
  records: { title: "Attributes of people", about: "A table with one row a person: age, sex, diagnosis. Published only where you say so.", form: "CSV keyed by subject", example: "subject,age,sex\np1,44,f", table: true, text: false },
};

/** The hierarchy of one column. */
function hierarchyHelp(column: string): InputHelp {
  return {
    title: `Hierarchy of ${column}`,
    about: "How values become coarser, step by step: a number its interval, a postcode its first digits, a date its month. Without one, methods for tables make ranges and sets of their own.",
    form: "value;parent;…;root, one value a line, or intervals [low,high]",
    example: "39;[30,39];[0,99];*",
    text: false,
    generate: [
      { name: "by", label: "Put together by", value: "", words: ["", "width", "depth", "frequency", "name", "date", "prefix"] },
      { name: "bins", label: "Intervals", value: "20" },
      { name: "fanout", label: "Members of a group", value: "2" },
      { name: "from", label: "Lowest", value: "" },
      { name: "to", label: "Highest", value: "" },
    ],
  };
}

export function inputHelp(flag: string, describe: string): InputHelp {
  if (flag.startsWith("hierarchy:")) return hierarchyHelp(flag.slice("hierarchy:".length));
  return HELP[flag] ?? { title: describe, about: "", form: "", example: "", text: true };
}

/** For links: `places`, `taxonomy`. */
export const inputTitle = (flag: string): string => (flag === "hierarchy" ? "hierarchies" : (HELP[flag]?.title ?? flag).toLowerCase());

export const INPUT_ORDER = ["hierarchy", "taxonomy", "places", "sensitive", "policy", "constraints", "queries", "records", "sensitive-values", "patterns", "person-patterns", "alphabet", "costs"];
