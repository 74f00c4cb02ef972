import { expect, it } from "vitest";
import type { MapView } from "../api/types";
import { bounds, features } from "./plane";

it("a plane is laid around the equator without bending it", () => {
  const view: MapView = {
    system: "plane",
    bounds: [0, 0, 1000, 500],
    features: { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [[[0, 0], [1000, 0], [1000, 500], [0, 0]]] } }] },
  };
  expect(bounds(view)).toEqual([-0.5, -0.25, 0.5, 0.25]);
  expect(features(view).features[0]!.geometry).toEqual({ type: "Polygon", coordinates: [[[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, -0.25]]] });
});
