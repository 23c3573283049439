import type { AppControls, AppSpec } from '../model.js';

const PROMPT = '$ ';

/** A shell with three commands: what is typed runs at enter, as in a real one. */
export function terminal(): AppSpec {
  return {
    id: 'simulated.terminal',
    name: 'Terminal',
    executable: '/simulated/bin/terminal',
    windows: [
      {
        title: 'Terminal',
        frame: { x: 120, y: 580, width: 560, height: 260 },
        focus: 'shell',
        elements: [
          {
            role: 'AXTextArea',
            title: 'Shell',
            identifier: 'shell',
            value: PROMPT,
            frame: { x: 8, y: 8, width: 544, height: 216 },
            onEnter: run,
          },
        ],
      },
    ],
  };
}

function run(app: AppControls): void {
  const screen = app.value('shell');
  const line = screen.slice(screen.lastIndexOf('\n') + 1);
  const command = line.startsWith(PROMPT) ? line.slice(PROMPT.length).trim() : line.trim();
  const [name = '', ...words] = command.split(/\s+/);
  if (name === 'clear') return app.setValue('shell', PROMPT);
  app.setValue('shell', `${screen}\n${output(name, words)}${PROMPT}`);
}

function output(name: string, words: string[]): string {
  if (name === '') return '';
  if (name === 'echo') return `${words.join(' ')}\n`;
  if (name === 'whoami') return 'ada\n';
  return `${name}: command not found\n`;
}
