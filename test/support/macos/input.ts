/** Input on the stand-in libraries without a process between; `faults` are thrown by the next posts instead. */
import { createInput, type MacInput } from '../../../src/native/macos/input/input.js';
import type { InputEvent, InputHelper } from '../../../src/native/macos/input/events.js';
import { openInputPosts, type InputPosts } from '../../../src/native/macos/input/post.js';
import { listDisplays } from '../../../src/native/macos/screen/displays.js';
import type { Opened } from './reader.js';

export interface OpenedInput {
  input: MacInput;
  posts: InputPosts;
  posted: InputEvent[];
  faults: Error[];
}

export function openInput(
  { core, windows }: Opened,
  inputArrived: InputHelper['inputArrived'] = async () => undefined,
): OpenedInput {
  const posts = openInputPosts(core);
  const posted: InputEvent[] = [];
  const faults: Error[] = [];
  const helper: InputHelper = {
    inputArrived,
    pointer: async () => posts.pointer(),
    windowAt: async (point) => windows.at(point),
    displays: async () => listDisplays(core),
    typing: async (characters) => posts.typing(characters),
    shortcut: async (character) => posts.shortcut(character),
    async post(events, terms) {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      posts.post(events, terms);
      posted.push(...events);
    },
  };
  return { input: createInput(helper), posts, posted, faults };
}
