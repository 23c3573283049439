import type { AppSpec, ElementSpec } from '../model.js';

/** A message being written, and an account with a password. */
export function mail(): AppSpec {
  return {
    id: 'simulated.mail',
    name: 'Mail',
    executable: '/simulated/bin/mail',
    windows: [
      {
        title: 'Account',
        frame: { x: 920, y: 560, width: 380, height: 220 },
        focus: 'account-user',
        elements: accountElements(),
      },
      {
        title: 'New Message',
        frame: { x: 60, y: 70, width: 560, height: 470 },
        focus: 'to',
        elements: messageElements(),
      },
    ],
  };
}

function accountElements(): ElementSpec[] {
  return [
    { role: 'AXStaticText', title: 'User name', frame: { x: 20, y: 16, width: 90, height: 28 } },
    {
      role: 'AXTextField',
      title: 'User name',
      identifier: 'account-user',
      value: 'ada',
      frame: { x: 116, y: 16, width: 244, height: 28 },
    },
    { role: 'AXStaticText', title: 'Password', frame: { x: 20, y: 54, width: 90, height: 28 } },
    {
      role: 'AXTextField',
      title: 'Password',
      identifier: 'account-password',
      value: 'correct horse',
      secure: true,
      frame: { x: 116, y: 54, width: 244, height: 28 },
    },
    {
      role: 'AXCheckBox',
      title: 'Keep me signed in',
      identifier: 'account-keep',
      checked: true,
      frame: { x: 116, y: 94, width: 220, height: 24 },
    },
    {
      role: 'AXButton',
      title: 'Sign in',
      identifier: 'account-sign-in',
      isDefault: true,
      frame: { x: 252, y: 142, width: 108, height: 30 },
    },
  ];
}

function messageElements(): ElementSpec[] {
  return [
    { role: 'AXStaticText', title: 'To', frame: { x: 20, y: 16, width: 70, height: 28 } },
    { role: 'AXTextField', title: 'To', identifier: 'to', frame: { x: 96, y: 16, width: 444, height: 28 } },
    { role: 'AXStaticText', title: 'Subject', frame: { x: 20, y: 54, width: 70, height: 28 } },
    {
      role: 'AXTextField',
      title: 'Subject',
      identifier: 'subject',
      frame: { x: 96, y: 54, width: 444, height: 28 },
    },
    { role: 'AXTextArea', title: 'Body', identifier: 'body', frame: { x: 20, y: 96, width: 520, height: 272 } },
    {
      role: 'AXCheckBox',
      title: 'Sender gets a copy',
      identifier: 'copy',
      frame: { x: 20, y: 388, width: 170, height: 24 },
    },
    { role: 'AXStaticText', title: '', identifier: 'status', frame: { x: 200, y: 386, width: 220, height: 28 } },
    {
      role: 'AXButton',
      title: 'Send',
      identifier: 'send',
      isDefault: true,
      frame: { x: 432, y: 384, width: 108, height: 32 },
      onPress: (app) => {
        const to = app.value('to').trim();
        app.setTitle('status', to === '' ? 'Who is it for?' : `Sent to ${to}`);
      },
    },
  ];
}
