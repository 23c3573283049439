/** Applications agents neither see nor touch. Running ones are offered; any other is added by its id. */
import { useState, type FormEvent, type ReactNode } from 'react';
import type { KnownApp } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { t } from '../../strings.js';
import { Button, FoldButton } from '../../ui/Button.js';
import { ActionRow } from '../../ui/rows.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';

interface Props {
  excluded: readonly string[];
  online: boolean;
  actions: Actions;
}

export function ExcludedApps({ excluded, online, actions }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  const load = async () => (await actions.ask('applications', {})).apps;
  const running = valueOf(useLoaded(online ? load : null, 'applications')) ?? [];
  const nameOf = (id: string) => running.find((app) => app.id === id)?.name ?? id;
  return (
    <Region id="excluded" heading={t('page.settings.excluded_apps.heading')}>
      <p className="small mut">{t('page.settings.excluded_apps.text')}</p>
      <div className="panel">
        <ul className="rows">
          {excluded.length === 0 ? (
            <li className="item small mut none">{t('page.settings.excluded_apps.none')}</li>
          ) : null}
          {excluded.map((id) => (
            <AppRow
              key={id}
              app={{ id, name: nameOf(id) }}
              icon="lock"
              label={t('page.settings.excluded_apps.remove')}
              online={online}
              onPress={() => actions.send({ type: 'exclude', appId: id, on: false })}
            />
          ))}
        </ul>
        <div className="panel-b rule" data-fold={open ? 'open' : 'closed'}>
          <FoldButton open={open} label={t('page.settings.excluded_apps.add')} onToggle={() => setOpen(!open)} />
          {open ? (
            <AddApp
              apps={running.filter((app) => !excluded.includes(app.id))}
              online={online}
              onAdd={(id) => actions.send({ type: 'exclude', appId: id, on: true })}
            />
          ) : null}
        </div>
      </div>
    </Region>
  );
}

function AddApp({ apps, online, onAdd }: { apps: KnownApp[]; online: boolean; onAdd(id: string): void }): ReactNode {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '' || !online) return;
    onAdd(typed.trim());
    setTyped('');
  };
  return (
    <>
      <ul className="rows inset">
        {apps.map((app) => (
          <AppRow
            key={app.id}
            app={app}
            icon="window"
            label={t('page.settings.excluded_apps.keep')}
            online={online}
            onPress={() => onAdd(app.id)}
          />
        ))}
      </ul>
      <form className="line" onSubmit={submit}>
        <label className="small mut" htmlFor="exclude-id">
          {t('page.settings.excluded_apps.other')}
        </label>
        <input
          className="field"
          id="exclude-id"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          placeholder="com.example.app"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={!online || typed.trim() === ''}>
          {t('page.settings.excluded_apps.keep')}
        </Button>
      </form>
    </>
  );
}

interface RowProps {
  app: KnownApp;
  icon: 'lock' | 'window';
  label: string;
  online: boolean;
  onPress(): void;
}

function AppRow({ app, icon, label, online, onPress }: RowProps): ReactNode {
  return (
    <ActionRow
      id={`app-${icon}-${app.id}`}
      icon={icon}
      name={app.name}
      action={label}
      disabled={!online}
      onPress={onPress}
    >
      {app.name === app.id ? null : (
        <p className="detail mono">
          <RevealedText text={app.id} />
        </p>
      )}
    </ActionRow>
  );
}
