/** Thunderbird, with a local account that checks for no mail. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROFILE = '.thunderbird/main';
/** `FDC34C9F024745EB` stands for /usr/lib/thunderbird, which would make a profile of its own. */
const PROFILES = `[InstallFDC34C9F024745EB]
Default=main
Locked=1

[Profile0]
Name=main
IsRelative=1
Path=main
Default=1

[General]
StartWithLastProfile=1
Version=2
`;
const PREFERENCES = {
  'mail.accountmanager.accounts': 'account1,account2',
  'mail.accountmanager.defaultaccount': 'account2',
  'mail.accountmanager.localfoldersserver': 'server1',
  'mail.account.account1.server': 'server1',
  'mail.server.server1.type': 'none',
  'mail.server.server1.hostname': 'Local Folders',
  'mail.server.server1.name': 'Local Folders',
  'mail.server.server1.userName': 'nobody',
  'mail.server.server1.directory-rel': '[ProfD]Mail/Local Folders',
  'mail.account.account2.server': 'server2',
  'mail.account.account2.identities': 'id1',
  'mail.server.server2.type': 'pop3',
  'mail.server.server2.hostname': 'localhost',
  'mail.server.server2.name': 'Anna',
  'mail.server.server2.userName': 'anna',
  'mail.server.server2.directory-rel': '[ProfD]Mail/localhost',
  'mail.server.server2.deferred_to_account': 'account1',
  'mail.server.server2.login_at_startup': false,
  'mail.server.server2.check_new_mail': false,
  'mail.identity.id1.valid': true,
  'mail.identity.id1.useremail': 'anna@example.org',
  'mail.identity.id1.fullName': 'Anna',
  'mail.identity.id1.smtpServer': 'smtp1',
  'mail.identity.id1.compose_html': false,
  'mail.identity.id1.fcc': false,
  'mail.identity.id1.drafts_folder_picker_mode': '1',
  'mail.identity.id1.draft_folder': 'mailbox://nobody@Local%20Folders/Drafts',
  'mail.smtpservers': 'smtp1',
  'mail.smtpserver.smtp1.hostname': 'localhost',
  'mail.root.none-rel': '[ProfD]Mail',
  // Nothing that it shows or asks at first, and nothing that it fetches.
  'mail.rights.version': 1,
  'mail.shell.checkDefaultClient': false,
  'mail.provider.suppress_dialog_on_startup': true,
  'mail.spotlight.firstRunDone': true,
  'mail.inappnotifications.enabled': false,
  'mail.chat.enabled': false,
  'mailnews.start_page.enabled': false,
  'mailnews.start_page_override.mstone': 'ignore',
  'app.donation.eoy.version.viewed': 999,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
  'datareporting.healthreport.uploadEnabled': false,
  'network.connectivity-service.enabled': false,
};
const preferences = Object.entries(PREFERENCES)
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  .join('');
const LOCAL = `${PROFILE}/Mail/Local Folders`;
const INBOX = `From - Sat Nov 28 10:00:00 2026
X-Mozilla-Status: 0001
X-Mozilla-Status2: 00000000
Message-ID: <1@example.org>
Date: Sat, 28 Nov 2026 10:00:00 +0000
From: Bob <bob@example.org>
To: anna@example.org
Subject: Old news
Content-Type: text/plain; charset=UTF-8

Nothing happened.

`;
const mail = (home, name) => readFileSync(join(home, LOCAL, name), 'utf8');
/** From a copy, because Thunderbird has it open for itself. */
function contacts(home) {
  const copy = mkdtempSync(join(tmpdir(), 'chaperone-contacts-'));
  try {
    for (const name of ['abook.sqlite', 'abook.sqlite-wal'])
      if (existsSync(join(home, PROFILE, name))) copyFileSync(join(home, PROFILE, name), join(copy, name));
    const READ = 'import sqlite3, sys; print(list(sqlite3.connect(sys.argv[1]).execute("select name, value from properties")))'; // prettier-ignore
    return execFileSync('/usr/bin/python3', ['-c', READ, join(copy, 'abook.sqlite')], { encoding: 'utf8' });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const write = (app, title, value, role = 'text field') => ['write_element_value', { parent: app, role, title, value }];
const press = (app, title) => ['click_element', { parent: app, role: 'button', title }];
/** The menu of the selected folder, which is the account's own at the beginning. */
const folderMenu = (app, item) => [
  ['click_element', { parent: app, role: 'row', title: 'Local Folders' }],
  ['press_key', { key: 'shift+f10' }],
  ['click_element', { parent: app, role: 'menu item', title: item }],
];

export const thunderbird = {
  packages: ['thunderbird'],
  id: 'thunderbird',
  denies: /Send|ctrl\+enter/i,
  home: {
    '.thunderbird/profiles.ini': PROFILES,
    [`${PROFILE}/user.js`]: preferences,
    [`${LOCAL}/Inbox`]: INBOX,
  },
  /** It opens with what it showed last. */
  start: ({ app }) => [
    ['wait_element', { parent: app, role: 'button', title: 'Mail (Ctrl+1)' }],
    press(app, 'Mail (Ctrl+1)'),
    ['wait_element', { parent: app, role: 'row', title: 'Local Folders' }],
  ],
  tasks: [
    {
      name: 'a mail written and saved as a draft',
      steps: ({ app }) => [
        press(app, 'New Message'),
        ['wait_element', { parent: app, role: 'text field', title: 'To' }],
        write(app, 'To', 'bob@example.org'),
        write(app, 'Subject', 'Grüße aus Köln'),
        write(app, 'Message body', 'The meeting is at 4.', 'document'),
        // The person is asked, and says no.
        [...press(app, 'Send'), 'denied'],
        ['press_key', { key: 'ctrl+enter' }, 'denied'],
        ['press_key', { key: 'ctrl+s' }],
        ['press_key', { key: 'ctrl+w' }],
      ],
      judge: ({ home, told }) => {
        const denied = told.filter((text) => text.startsWith('DESKTOP_CONFIRM_REQUIRED: The person said no.'));
        assert.equal(denied.length, 2, 'the person was not asked about Send');
        const draft = mail(home, 'Drafts');
        assert.match(draft, /^To: bob@example\.org$/m);
        assert.match(draft, /^Subject: =\?UTF-8\?B\?R3LDvMOfZSBhdXMgS8O2bG4=\?=$/m);
        assert.match(draft, /^The meeting is at 4\.$/m);
      },
    },
    {
      name: 'a contact added',
      steps: ({ app }) => [
        press(app, 'Address Book'),
        ['wait_element', { parent: app, role: 'tree', title: 'List of address books' }],
        // An empty address book has a second one in its middle.
        ['find_elements', { parent: app, role: 'button', title: 'New Contact' }],
        ({ elements }) => ['click_element', { element_id: elements[0].elementId }],
        write(app, 'First name', 'Zoë'),
        write(app, 'Email address', 'zoe@example.org'),
        press(app, 'Save'),
      ],
      judge: ({ home }) =>
        assert.match(
          contacts(home),
          /'FirstName', 'Zoë'.*'PrimaryEmail', 'zoe@example\.org'|'PrimaryEmail', 'zoe@example\.org'.*'FirstName', 'Zoë'/s,
        ),
    },
    {
      name: 'a folder made',
      steps: ({ app }) => [
        ...folderMenu(app, 'New Folder'),
        write(app, 'Name:', 'Projects 2027'),
        press(app, 'Create Folder'),
      ],
      judge: ({ home }) => assert.ok(existsSync(join(home, LOCAL, 'Projects 2027')), 'there is no such folder'),
    },
    {
      name: 'a filter made',
      steps: ({ app }) => [
        ...folderMenu(app, 'Message Filters'),
        ['click_element', { parent: app, role: 'button', title: 'New…' }],
        write(app, 'Filter name:', 'Urgent'),
        ['find_elements', { parent: app, role: 'text field' }],
        // What is looked for has no name, and is the last one.
        ({ elements }) => ['write_element_value', { element_id: elements.at(-1).elementId, value: 'urgent' }],
        ['find_elements', { parent: app, role: 'combo box', value: 'Move Message to' }],
        ({ elements }) => ['click_element', { element_id: elements[0].elementId }],
        ['click_element', { parent: app, role: 'menu item', title: 'Add Star' }],
        press(app, 'OK'),
        ['press_key', { key: 'escape' }],
      ],
      judge: ({ home }) =>
        assert.match(
          mail(home, 'msgFilterRules.dat'),
          /name="Urgent"\nenabled="yes"\ntype="\d+"\naction="Mark flagged"\ncondition="AND \(subject,contains,urgent\)"/,
        ),
    },
    {
      name: 'a mail deleted',
      steps: ({ app }) => [
        ['wait_element', { parent: app, role: 'row', title: 'Inbox' }],
        ['click_element', { parent: app, role: 'row', title: 'Inbox' }],
        ['wait_element', { parent: app, role: 'row', title: 'Old news' }],
        ['click_element', { parent: app, role: 'row', title: 'Old news' }],
        ['press_key', { key: 'delete' }],
      ],
      judge: ({ home }) => assert.match(mail(home, 'Trash'), /^Subject: Old news$/m),
    },
  ],
};
