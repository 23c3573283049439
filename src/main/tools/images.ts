/** Images that agents got, by whose pixels and numbers they name points and elements. */
import * as z from 'zod';
import type { Capture, Point } from '../../native/desktop.js';
import { invalidRequest } from './parameters.js';
import { message } from '../../messages/index.js';

/** Metadata of an image; with `space: "image:<id>"` a caller gives coordinates in its pixels. */
export const imageSchema = z.object({
  id: z.string(),
  mimeType: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  /** Image pixels per point; 0 for a picture that is not of the screen. */
  scale: z.number(),
  /** Top left of the image in global points. */
  origin: z.object({ x: z.number(), y: z.number() }),
});
export type ImageInfo = z.infer<typeof imageSchema>;

/** Size of the capture before the image was scaled. */
type Native = Pick<Capture, 'width' | 'height' | 'scale'>;

export interface KeptImage extends ImageInfo {
  bytes: Uint8Array;
  native: Native;
  /** Element ids of the numbers drawn on it, starting with 1. */
  marks: readonly string[];
  /** What else its answer said: the numbered controls, and whether its text was read. */
  toldWith?: string;
}

export interface Images {
  /** `owner` is the agent that gets it; for other agents it does not exist. */
  put(image: Omit<KeptImage, 'id'>, owner: string): ImageInfo;
  get(id: string, owner: string): KeptImage | null;
}

export const infoOf = ({ id, mimeType, width, height, scale, origin }: KeptImage): ImageInfo => ({
  id,
  mimeType,
  width,
  height,
  scale,
  origin,
});

/** Whether an agent that has the one would learn nothing from the other. */
export function isSameImage(one: KeptImage, other: Omit<KeptImage, 'id'>): boolean {
  const placeOf = ({ mimeType, width, height, scale, origin, native, toldWith }: typeof other) =>
    JSON.stringify([mimeType, width, height, scale, origin.x, origin.y, native.width, native.height, toldWith]);
  return placeOf(one) === placeOf(other) && Buffer.compare(one.bytes, other.bytes) === 0;
}

/** `1a2b3c4d`, or as in `space`: `image:1a2b3c4d`. */
export const imageIdOf = (given: string): string => given.replace(/^image:/, '');

/** `e:12`, the upstream form `applications/{pid}/elements/e:12`, or `mark:7@<image id>`: a number drawn on that screenshot. */
export function elementIdOf(images: Images, given: string, owner: string): string {
  const mark = /^mark:(\d+)@(?:image:)?(.+)$/.exec(given);
  if (mark === null && !/^(?:mark:?)?\s*\d+$/.test(given)) return given.replace(/^applications\/[^/]+\/elements\//, '');
  if (mark === null)
    throw invalidRequest(
      message('error.mark_without_picture', { id: given }),
      'unknown_mark',
      'A number drawn on a screenshot is "mark:<number>@<image id>"; other ids look like "e:12".',
    );
  const found = images.get(mark[2] ?? '', owner)?.marks[Number(mark[1]) - 1];
  if (found !== undefined) return found;
  throw invalidRequest(
    message('error.unknown_mark', { id: given }),
    'unknown_mark',
    'Take a new screenshot with marks, and use its image id and one of its numbers.',
  );
}

export const spaceSchema = z.string().max(200).optional().describe('"image:<id>": in its pixels');

/** The image a `space` names; null where it means global points. */
export function resolveImage(images: Images, space: string | undefined, owner: string): KeptImage | null {
  if (space === undefined || space === 'points' || space === 'screen') return null;
  const image = images.get(imageIdOf(space), owner);
  if (image !== null && image.scale > 0) return image;
  throw invalidRequest(
    message('error.unknown_image', { space }),
    'unknown_image',
    'Take a new screenshot and use its image id.',
  );
}

/** Converts the centre of an image pixel to points, through the native pixel shown there, so scaled images stay exact. */
export function toPoint(images: Images, at: Point, space: string | undefined, owner: string): Point {
  const image = resolveImage(images, space, owner);
  if (image === null) return at;
  if (at.x < 0 || at.y < 0 || at.x >= image.width || at.y >= image.height)
    throw invalidRequest(
      message('error.outside_image', { point: `(${at.x}, ${at.y})`, width: image.width, height: image.height }),
      'outside_image',
    );
  const { native, origin } = image;
  const along = (pixel: number, pixels: number, of: number) =>
    Math.min(of - 1, Math.floor(((pixel + 0.5) * of) / pixels)) / native.scale;
  return {
    x: origin.x + along(at.x, image.width, native.width),
    y: origin.y + along(at.y, image.height, native.height),
  };
}
