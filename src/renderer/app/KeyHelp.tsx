/** The page's keys, shown by `?`. */
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../strings.js';
import { inField } from './keyboard-shortcuts.js';
import { Button } from '../ui/Button.js';

const STOP = navigator.platform.startsWith('Mac') ? '⌃ ⌥ ⌘ .' : 'Ctrl Alt Super .';
const ROWS = [
  ['J K', 'page.keys.step'],
  ['E', 'page.keys.exact'],
  ['D', 'page.keys.deny'],
  ['A', 'page.keys.allow'],
  ['R', 'page.keys.reply'],
  ['Esc', 'page.keys.leave'],
  [STOP, 'page.keys.stop'],
  ['?', 'page.keys.help'],
] as const;

export function KeyHelp(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !inField(event.target) && dialog.current?.open === false) dialog.current.showModal();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <dialog ref={dialog} className="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">{t('page.keys.heading')}</h2>
      <dl>
        {ROWS.map(([keys, code]) => (
          <div key={code}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(code)}</dd>
          </div>
        ))}
      </dl>
      <Button variant="sm" onClick={() => dialog.current?.close()}>
        {t('page.keys.close')}
      </Button>
    </dialog>
  );
}
