/** Pictures by ScreenCaptureKit, from macOS 14. One at a time; a completion may never come, which whoever asks must expect. */
import { BEST_RESOLUTION, BGRA, SRGB, USER_DECLINED } from '../calls/libraries.js';
import { rectOf, type Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { changed, pixelPart, TOLERANCE, imageSize, pixelsOf, unreadable, type Pixels } from './pixels.js';
import { noScreenRecording, type PictureSource } from './picture-source.js';

const CONTENT = 'getShareableContentExcludingDesktopWindows:onScreenWindowsOnly:completionHandler:';
const PICTURE = 'captureImageWithFilter:configuration:completionHandler:';

/** null where the system has no such pictures. */
export async function takePicture(core: Core, source: PictureSource): Promise<Pixels | null> {
  const { bound, blocks, pooled, scoped } = core;
  const [manager, content] = ['SCScreenshotManager', 'SCShareableContent'].map((name) =>
    bound.objectiveC.objc_getClass(name),
  );
  if (!manager || !content) return null;
  return blocks.completed(
    (block) => pooled(() => bound.send(content, CONTENT, 0, 1, block)),
    (shareable, error) =>
      pooled(() =>
        scoped((scope) => {
          const filter = filterOf(core, scope, given(core, shareable, error), source);
          const settings = settingsOf(core, scope, filter);
          return blocks.completed(
            (block) => bound.send(manager, PICTURE, filter, settings, block),
            (image, failure) => pooled(() => partOf(core, given(core, image, failure), source)),
          );
        }),
      ),
  );
}

function given({ bound }: Core, result: Ref | null, error: Ref | null): Ref {
  if (result !== null) return result;
  const code = error === null ? null : Number(bound.send(error, 'code'));
  throw code === USER_DECLINED ? noScreenRecording() : unreadable(code === null ? 'no picture' : `error ${code}`);
}

/** A window alone, also where others cover it; of a display all that shows but our own windows. */
function filterOf({ bound, making, reading }: Core, scope: Scope, content: Ref, source: PictureSource): Ref {
  const isWindow = source.kind === 'window';
  const windows = reading.list(bound.send(content, 'windows'));
  const own = windows.filter((each) => source.without.includes(bound.send(each, 'windowID')));
  const all = isWindow ? windows : reading.list(bound.send(content, 'displays'));
  const found = all.find((each) => bound.send(each, isWindow ? 'windowID' : 'displayID') === source.number);
  if (found === undefined) throw changed();
  const filter = made(bound, 'SCContentFilter', (allocated) => {
    if (isWindow) return scope.own(bound.send(allocated, 'initWithDesktopIndependentWindow:', found));
    return scope.own(bound.send(allocated, 'initWithDisplay:excludingWindows:', found, making.list(scope, own)));
  });
  const { width, height } = rectOf(bound.send(filter, 'contentRect'));
  const { frame } = source;
  if (Math.abs(width - frame.width) > TOLERANCE || Math.abs(height - frame.height) > TOLERANCE) throw changed();
  return filter;
}

function settingsOf({ bound }: Core, scope: Scope, filter: Ref): Ref {
  const { width, height } = rectOf(bound.send(filter, 'contentRect'));
  const scale = bound.send(filter, 'pointPixelScale');
  const settings = made(bound, 'SCStreamConfiguration', (allocated) => scope.own(bound.send(allocated, 'init')));
  bound.send(settings, 'setWidth:', Math.round(width * scale));
  bound.send(settings, 'setHeight:', Math.round(height * scale));
  bound.send(settings, 'setShowsCursor:', 0);
  bound.send(settings, 'setIgnoreShadowsSingleWindow:', 1);
  bound.send(settings, 'setCaptureResolution:', BEST_RESOLUTION);
  bound.send(settings, 'setPixelFormat:', BGRA);
  bound.send(settings, 'setColorSpaceName:', bound.object('coreGraphics', SRGB));
  return settings;
}

function made(bound: Core['bound'], name: string, init: (allocated: Ref) => Ref | null): Ref {
  const found = bound.objectiveC.objc_getClass(name);
  const allocated = found === null ? null : bound.send(found, 'alloc');
  const instance = allocated === null ? null : init(allocated);
  if (instance === null) throw unreadable(`no ${name}`);
  return instance;
}

function partOf(core: Core, image: Ref, source: PictureSource): Pixels {
  const size = imageSize(core, image);
  return pixelsOf(core, image, pixelPart(source, size));
}
