// The map library, loaded only where there is something to draw. No tiles and no labels from elsewhere: shapes on a plain ground.

import "maplibre-gl/dist/maplibre-gl.css";
import { Map as MapLibre, NavigationControl, setWorkerUrl, type FilterSpecification, type StyleSpecification } from "maplibre-gl";
// A file of our own rather than a blob, so that the content security policy can stay strict.
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { flowLines } from "./flows";
import { DASHES } from "./map-picture";
import { bounds, features } from "./plane";
import type { Flow, MapView } from "../api/types";

setWorkerUrl(new URL(workerUrl, location.href).href);

export interface Colours {
  ground: string;
  ink: string;
  /** Of places that stand for themselves. */
  fill: string;
  /** Of groups, one after the other. */
  looks: string[];
}

const SHAPE = ["in", ["geometry-type"], ["literal", ["Polygon", "LineString"]]];
const LIT = ["lit-edges", "lit-points"];

const isLit = (items: string[]): unknown => ["in", ["get", "item"], ["literal", items]];
const litEdges = (items: string[]): FilterSpecification => ["all", SHAPE, isLit(items)] as unknown as FilterSpecification;
const litPoints = (items: string[]): FilterSpecification => ["all", ["==", ["geometry-type"], "Point"], isLit(items)] as unknown as FilterSpecification;

function style(view: MapView, colours: Colours, lit: string[], flows: Flow[], top: number | undefined): StyleSpecification {
  const most = top ?? Math.max(1, ...view.features.features.map((feature) => Number(feature.properties?.people ?? 0)));
  const share = ["sqrt", ["/", ["coalesce", ["get", "people"], 0], most]];
  const look = ["match", ["coalesce", ["get", "look"], 0], ...colours.looks.flatMap((colour, i) => (i > 0 ? [i, colour] : [])), colours.looks[0]];
  const single = ["all", ["==", ["geometry-type"], "Point"], ["!", ["has", "member"]]];
  const radius = ["+", 3, ["*", 11, share]];
  const spec = {
    version: 8,
    sources: { places: { type: "geojson", data: features(view) }, flows: { type: "geojson", data: flowLines(view, flows) } },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": colours.ground } },
      { id: "areas", type: "fill", source: "places", filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": look, "fill-opacity": ["+", 0.1, ["*", 0.2, share]] } },
      // Neighbours that overlap differ in the dash of their edge too, not in colour alone.
      ...DASHES.map((dash, i) => ({
        id: `edges-${i}`,
        type: "line",
        source: "places",
        filter: ["all", SHAPE, ["==", ["%", ["coalesce", ["get", "look"], 0], DASHES.length], i]],
        paint: { "line-color": look, "line-width": 1.8, "line-dasharray": dash },
      })),
      { id: "flows", type: "line", source: "flows", layout: { "line-cap": "round" }, paint: { "line-color": colours.looks[1], "line-opacity": 0.65, "line-width": ["+", 0.8, ["*", 5, ["get", "share"]]] } },
      { id: "members", type: "circle", source: "places", filter: ["has", "member"], paint: { "circle-color": look, "circle-radius": 3, "circle-stroke-color": colours.ground, "circle-stroke-width": 1 } },
      { id: "points", type: "circle", source: "places", filter: single, paint: { "circle-color": colours.fill, "circle-opacity": 0.55, "circle-stroke-color": colours.ink, "circle-stroke-width": 1, "circle-radius": radius } },
      { id: "lit-edges", type: "line", source: "places", filter: litEdges(lit), paint: { "line-color": look, "line-width": 4 } },
      { id: "lit-points", type: "circle", source: "places", filter: litPoints(lit), paint: { "circle-opacity": 0, "circle-stroke-color": colours.looks[2], "circle-stroke-width": 3, "circle-radius": ["case", ["has", "member"], 4, radius] } },
    ],
  };
  return spec as unknown as StyleSpecification;
}

export interface Drawn {
  map: MapLibre;
  restyle: (view: MapView, colours: Colours, flows?: Flow[], most?: number) => void;
  /** Marks these items. */
  light: (items: string[]) => void;
}

/** The item under the pointer, if any, and where the pointer is. */
export type Pointed = (item: string | null, at: { x: number; y: number }) => void;

export function draw(container: HTMLElement, view: MapView, colours: Colours, onPick: Pointed, onMove: () => void): Drawn {
  let lit: string[] = [];
  let flows: Flow[] = [];
  const map = new MapLibre({
    container,
    style: style(view, colours, lit, flows, undefined),
    bounds: bounds(view),
    fitBoundsOptions: { padding: 24 },
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    cooperativeGestures: false,
    renderWorldCopies: false,
    fadeDuration: 0,
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.touchZoomRotate.disableRotation();
  map.on("mousemove", (event) => {
    // A line between two places is thin: a little room around the pointer counts.
    const { x, y } = event.point;
    const hits = map.queryRenderedFeatures([[x - 3, y - 3], [x + 3, y + 3]], { layers: ["points", "members", "areas", "edges-0", "edges-1", "edges-2"] });
    // The mark of a member has no name: the group below it has.
    const item: unknown = hits.find((hit) => hit.properties?.item)?.properties.item;
    onPick(typeof item === "string" ? item : null, { x, y });
  });
  map.on("mouseout", () => onPick(null, { x: 0, y: 0 }));
  map.on("move", onMove);
  map.on("resize", onMove);
  // A program that takes a picture of the page waits for this.
  map.once("idle", () => (container.dataset.drawn = "true"));
  return {
    map,
    restyle: (next, with_, lines = [], most) => {
      flows = lines;
      map.setStyle(style(next, with_, lit, flows, most), { diff: false });
    },
    light(items) {
      lit = items;
      if (!LIT.every((layer) => map.getLayer(layer))) return;
      map.setFilter("lit-edges", litEdges(items));
      map.setFilter("lit-points", litPoints(items));
    },
  };
}
