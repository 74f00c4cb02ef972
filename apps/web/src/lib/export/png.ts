// A plot as a picture, at twice its size on the screen.

import { HEAD, standalone } from "./svg";

export async function png(svg: SVGSVGElement, title: string, scale = 2): Promise<Blob> {
  const { width, height: drawn } = svg.getBoundingClientRect();
  const height = drawn + HEAD;
  const url = URL.createObjectURL(new Blob([standalone(svg, title)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const pen = canvas.getContext("2d");
    pen?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
