/** VLC, without a sound card. Other programs control it by MPRIS, which tells what it plays. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [RATE, SECONDS, HEADER] = [8000, 120, 44];

/** Two minutes of silence. */
function tone() {
  const length = RATE * SECONDS;
  const wav = Buffer.alloc(HEADER + length, 128);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(HEADER - 8 + length, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  // PCM, one channel.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(length, 40);
  return wav;
}

const PLAYER = ['--dest', 'org.mpris.MediaPlayer2.vlc', '--object-path', '/org/mpris/MediaPlayer2'];
const player = (ask) =>
  ask('gdbus', 'call', '--session', ...PLAYER, '--method', 'org.freedesktop.DBus.Properties.GetAll', 'org.mpris.MediaPlayer2.Player'); // prettier-ignore

const files = { 'tone.wav': tone() };
const play = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
];
const press = (app, title) => ['click_element', { parent: app, role: 'button', title }];
const menu = (app, ...titles) => titles.map((title) => ['click_element', { parent: app, role: 'menu item', title }]);

export const vlc = {
  packages: ['vlc', 'libglib2.0-bin'],
  id: 'vlc',
  home: { '.config/vlc/vlcrc': '[core]\naout=adummy\n' },
  /** What it asks when it is started for the first time. */
  start: ({ app }) => [
    ['list_windows', { parent: app }],
    ({ windows }) => (windows.some(({ title }) => title.startsWith('Privacy')) ? press(app, 'Continue') : null),
  ],
  tasks: [
    {
      name: 'a file played',
      files,
      steps: ({ app, file }) => play(app, file('tone.wav')),
      judge: async ({ ask, file }) => {
        const state = await player(ask);
        assert.ok(state.includes(`'xesam:url': <'file://${file('tone.wav')}'>`), state);
        assert.match(state, /'PlaybackStatus': <'Playing'>/);
      },
    },
    {
      name: 'paused through the menu',
      files,
      steps: ({ app, file }) => [...play(app, file('tone.wav')), ...menu(app, 'Playback', 'Pause')],
      judge: async ({ ask }) => assert.match(await player(ask), /'PlaybackStatus': <'Paused'>/),
    },
    {
      name: 'a time jumped to',
      files,
      steps: ({ app, file }) => [
        ...play(app, file('tone.wav')),
        ['press_key', { key: 'ctrl+t' }],
        // Hours, minutes and seconds.
        ['type_text', { text: '000130' }],
        press(app, 'Go'),
      ],
      judge: async ({ ask }) => {
        const [, position] = /'Position': <int64 (\d+)>/.exec(await player(ask)) ?? [];
        assert.ok(Number(position) >= 90_000_000, `it plays at ${position} µs`);
      },
    },
    {
      name: 'a preference changed',
      steps: ({ app }) => [
        ['press_key', { key: 'ctrl+p' }],
        ['set_element_state', { parent: app, title: 'Allow only one instance', checked: true }],
        press(app, 'Save'),
      ],
      judge: ({ home }) => assert.match(readFileSync(join(home, '.config/vlc/vlcrc'), 'utf8'), /^one-instance=1$/m),
    },
    {
      name: 'a playlist saved',
      files,
      steps: ({ app, file }) => [
        ...play(app, file('tone.wav')),
        ['press_key', { key: 'ctrl+y' }],
        ['automate_save_file_dialog', { application: app, file_path: file('evening.xspf') }],
      ],
      judge: ({ read }) => assert.match(read('evening.xspf'), /<location>file:.*tone\.wav<\/location>/),
    },
  ],
};
