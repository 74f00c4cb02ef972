// The map library, loaded only where there is something to draw. No tiles and no labels from elsewhere: shapes on a plain ground.

import "maplibre-gl/dist/maplibre-gl.css";
import { Map as MapLibre, NavigationControl, setWorkerUrl, type StyleSpecification } from "maplibre-gl";
// A file of our own rather than a blob, so that the content security policy can stay strict.
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { bounds, features } from "./plane";
import type { MapView } from "./types";

setWorkerUrl(new URL(workerUrl, location.href).href);

export interface Colours {
  ground: string;
  ink: string;
  fill: string;
}

function style(view: MapView, colours: Colours): StyleSpecification {
  const most = Math.max(1, ...view.features.features.map((feature) => Number(feature.properties?.people ?? 0)));
  const share = ["sqrt", ["/", ["coalesce", ["get", "people"], 0], most]] as const;
  const spec = {
    version: 8,
    sources: { places: { type: "geojson", data: features(view) } },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": colours.ground } },
      {
        id: "areas",
        type: "fill",
        source: "places",
        filter: ["==", ["geometry-type"], "Polygon"],
        paint: { "fill-color": colours.fill, "fill-opacity": ["+", 0.08, ["*", 0.3, share]] },
      },
      {
        id: "edges",
        type: "line",
        source: "places",
        filter: ["in", ["geometry-type"], ["literal", ["Polygon", "LineString"]]],
        paint: { "line-color": colours.fill, "line-width": 1.5, "line-dasharray": [3, 2] },
      },
      {
        id: "points",
        type: "circle",
        source: "places",
        filter: ["==", ["geometry-type"], "Point"],
        paint: {
          "circle-color": colours.fill,
          "circle-opacity": 0.55,
          "circle-stroke-color": colours.ink,
          "circle-stroke-width": 1,
          "circle-radius": ["+", 3, ["*", 11, share]],
        },
      },
    ],
  };
  return spec as unknown as StyleSpecification;
}

export interface Drawn {
  map: MapLibre;
  restyle: (view: MapView, colours: Colours) => void;
}

export function draw(container: HTMLElement, view: MapView, colours: Colours, onPick: (properties: Record<string, unknown> | null) => void): Drawn {
  const map = new MapLibre({
    container,
    style: style(view, colours),
    bounds: bounds(view),
    fitBoundsOptions: { padding: 24 },
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    cooperativeGestures: false,
    renderWorldCopies: false,
    fadeDuration: 0,
  });
  map.scrollZoom.disable();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.touchZoomRotate.disableRotation();
  map.on("mousemove", (event) => {
    const [hit] = map.queryRenderedFeatures(event.point, { layers: ["points", "areas"] });
    onPick(hit?.properties ?? null);
  });
  map.on("mouseout", () => onPick(null));
  return { map, restyle: (next, with_) => map.setStyle(style(next, with_), { diff: false }) };
}
