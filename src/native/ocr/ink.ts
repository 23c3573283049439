/** Pure: ink that hangs together in a greymap (255 is background). */

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The bounds of each connected part, the outermost pixels included; pixels that touch at a corner are connected. */
export function* inkParts(grey: Uint8Array, width: number, height: number): Generator<Bounds> {
  const visited = new Uint8Array(grey.length);
  for (let at = 0; at < grey.length; at++) {
    if (grey[at] !== 255 && visited[at] !== 1) yield boundsOfPart(grey, visited, width, height, at);
  }
}

function boundsOfPart(grey: Uint8Array, visited: Uint8Array, width: number, height: number, start: number): Bounds {
  const x0 = start % width;
  const y0 = (start - x0) / width;
  const part = { left: x0, top: y0, right: x0, bottom: y0 };
  const open = [start];
  visited[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width;
    const y = (at - x) / width;
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x);
    part.bottom = Math.max(part.bottom, y);
    part.top = Math.min(part.top, y);
    for (let beside = Math.max(0, y - 1); beside <= Math.min(height - 1, y + 1); beside++)
      for (let next = Math.max(0, x - 1); next <= Math.min(width - 1, x + 1); next++) {
        const index = beside * width + next;
        if (visited[index] === 1 || (grey[index] ?? 255) === 255) continue;
        visited[index] = 1;
        open.push(index);
      }
  }
  return part;
}
