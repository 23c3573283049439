import { describe, expect, it } from 'vitest';
import { readAutomation, readPermissions, systemVersion } from '../../../src/native/macos/permissions.js';
import type { Opened } from '../../support/macos/reader.js';
import { DOCK, MAIN, SCREENSHOT, SECOND } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

let opened: Opened;
const { script } = withScene((started) => ({ opened } = started));

const accessibility = () => readPermissions(opened).accessibility;
const screenRecording = () => readPermissions(opened).screenRecording;

describe('accessibility', () => {
  it('is granted where an application answers', () => {
    expect(accessibility()).toBe('granted');
    script.hang(MAIN.pid, 1);
    expect(accessibility()).toBe('granted');
  });

  it('is missing where the system says so', () => {
    script.trust(0);
    expect(accessibility()).toBe('missing');
  });

  it('is stale where the system says that it is granted and several applications refuse', () => {
    script.staleTrust(1);
    expect(accessibility()).toBe('stale');
  });

  it('is not known where nobody answers, or only one refuses', () => {
    script.hang(MAIN.pid, 1);
    script.hang(SECOND.pid, 1);
    script.hang(DOCK.pid, 1);
    script.hang(SCREENSHOT.pid, 1);
    expect(accessibility()).toBe('unknown');
    for (const { pid } of [SECOND, DOCK, SCREENSHOT]) script.endApp(pid);
    script.staleTrust(1);
    expect(accessibility()).toBe('unknown');
  });
});

describe('screen recording', () => {
  it('is granted where windows of others have names', () => {
    expect(screenRecording()).toBe('granted');
  });

  it('is missing where the system says so', () => {
    script.record(0, 1);
    expect(screenRecording()).toBe('missing');
  });

  it('is stale where the names are withheld of windows that have titles', () => {
    script.record(1, 0);
    expect(screenRecording()).toBe('stale');
  });

  it('is not known where no title can be read either', () => {
    script.record(1, 0);
    script.trust(0);
    expect(readPermissions(opened)).toEqual({ accessibility: 'missing', screenRecording: 'unknown' });
  });
});

describe('automation', () => {
  const automation = () => readAutomation(opened.core, opened.apps);

  it('[req:MP-4] is told of each application that the person has decided about, without asking about the others', () => {
    expect(automation()).toEqual([]);
    script.automation('com.apple.systemevents', 0);
    script.automation('com.example.second', -1743);
    expect(automation()).toEqual([
      { application: 'System Events', state: 'granted' },
      { application: 'Second', state: 'missing' },
    ]);
  });

  it('is not told of an application that does not run', () => {
    script.automation('com.apple.systemevents', -600);
    expect(automation()).toEqual([]);
  });
});

it('the version is that of the system', () => {
  expect(systemVersion(opened.core)).toBe('15.3.1');
});
