import { expect, test } from "vitest";
import { clustered } from "./released";

test("records that were taken apart are put together by cluster and chunk", () => {
  const rows = [["1", "1", "record", "1", "bread"], ["1", "1", "record", "1", "milk"], ["1", "1", "record", "2", "milk"], ["1", "2", "term", "1", "beer"], ["2", "1", "record", "1", "wine"]];
  const found = clustered({ columns: ["cluster", "chunk", "kind", "part", "item"], rows });
  expect(found?.map(({ cluster, chunks }) => [cluster, chunks.map(({ kind, parts }) => [kind, parts])])).toEqual([
    ["1", [["record", ["bread + milk", "milk"]], ["term", ["beer"]]]],
    ["2", [["record", ["wine"]]]],
  ]);
  expect(clustered({ columns: ["item", "count"], rows: [] })).toBeNull();
});
