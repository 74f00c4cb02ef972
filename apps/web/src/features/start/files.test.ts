import { expect, test } from "vitest";
import { guessed, isBundle } from "./files";

const inputs = ["places", "records", "taxonomy"].map((flag) => ({ flag }));

test("files that are brought in together have parts of their own, and one is the data", () => {
  const files = [{ name: "places.csv", size: 10 }, { name: "Trips 2024.csv", size: 900 }, { name: "people.csv", size: 40 }, { name: "notes.csv", size: 1 }];
  expect(guessed(files, inputs)).toEqual(["places", "data", "records", ""]);
  expect(guessed([{ name: "places.csv", size: 10 }, { name: "poi.csv", size: 20 }], inputs)).toEqual(["places", "data"]);
  expect(guessed([{ name: "places.csv", size: 10 }], inputs)).toEqual(["data"]);
});

test("a saved project is known by its name", () => {
  expect([isBundle("city.throng.zip"), isBundle("city.zip")]).toEqual([true, false]);
});
