import { expect, test } from "vitest";
import { nounOf, spoken } from "./kinds";

const roles = (item: string) => ({ subject: "who", record: null, item, time: null });

test("presets speak of what the data are made of", () => {
  expect(nounOf({ kind: "sequences", roles: roles("page_url") }, false)).toEqual(["page", "pages"]);
  expect(nounOf({ kind: "sets", roles: roles("item") }, false)).toEqual(["item", "items"]);
  expect(nounOf({ kind: "sequences", roles: roles("item") }, true)).toEqual(["place", "places"]);
  expect(nounOf({ kind: "sequences", roles: roles("item") }, false, "Clicks")).toEqual(["page", "pages"]);
  expect(nounOf({ kind: "sets", roles: roles("code") }, false, "baskets")).toEqual(["code", "codes"]);
  expect(spoken("two {many}, one {one}", ["page", "pages"])).toBe("two pages, one page");
});
