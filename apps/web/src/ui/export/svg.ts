// A drawn plot as an SVG file of its own: the look comes from the page's style sheet, so it is written into the copy.

const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline"];

/** The ground of every exported plot: paper is white, whatever the screen is. */
export const GROUND = "#ffffff";

/** Does something while a plot has its light colours, whatever the page has: what is exported is read on paper and in documents. */
export function inLight<T>(svg: SVGSVGElement, work: () => T): T {
  const before = svg.style.colorScheme;
  svg.style.colorScheme = "light";
  try {
    return work();
  } finally {
    svg.style.colorScheme = before;
  }
}

/** Room for the title, which on the page stands outside the plot. */
export const HEAD = 28;

export const standalone = (svg: SVGSVGElement, title: string): string => inLight(svg, () => written(svg, title));

function written(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    const target = copies[i];
    if (!target) return;
    for (const name of LOOK) {
      const value = style.getPropertyValue(name);
      if (value) target.setAttribute(name, value);
    }
    target.removeAttribute("class");
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height + HEAD));
  copy.setAttribute("viewBox", `0 ${-HEAD} ${width} ${height + HEAD}`);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ y: -HEAD, width, height: height + HEAD, fill: GROUND })) ground.setAttribute(name, String(value));
  const heading = document.createElementNS("http://www.w3.org/2000/svg", "text");
  for (const [name, value] of Object.entries({ x: 2, y: 18 - HEAD, fill: "#17212b", "font-size": 15, "font-weight": 650 })) heading.setAttribute(name, String(value));
  heading.textContent = title;
  copy.prepend(ground, heading);
  for (const live of copy.querySelectorAll("[data-live]")) live.remove();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
