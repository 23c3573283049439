import type { AppSpec } from '../model.js';

/** One page of plain text. */
export function notes(): AppSpec {
  return {
    id: 'simulated.notes',
    name: 'Notes',
    executable: '/simulated/bin/notes',
    windows: [
      {
        title: 'Shopping',
        frame: { x: 660, y: 90, width: 420, height: 320 },
        focus: 'note',
        elements: [
          {
            role: 'AXButton',
            title: 'Undo',
            identifier: 'undo',
            enabled: false,
            frame: { x: 16, y: 10, width: 84, height: 28 },
          },
          {
            role: 'AXCheckBox',
            title: 'Locked',
            identifier: 'locked',
            frame: { x: 116, y: 12, width: 120, height: 24 },
          },
          {
            role: 'AXTextArea',
            title: 'Note',
            identifier: 'note',
            value: 'Milk\nBread\nA birthday card for Grace',
            frame: { x: 16, y: 48, width: 388, height: 228 },
          },
        ],
      },
    ],
  };
}
