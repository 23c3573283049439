import { describe, expect, test } from 'vitest';
import labels from './labels.json' with { type: 'json' };
import table from '../../../src/main/pipeline/consequence/verbs.json' with { type: 'json' };
import {
  isAmount,
  isCardNumber,
  isPaymentField,
  isPlainName,
  kindNamed,
  namesContext,
} from '../../../src/main/pipeline/consequence/naming.js';

describe('[req:AC-1] names with consequences', () => {
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    send: [
      'Send', 'SEND', 'Send now', 'Reply all', 'Publish', 'Post', 'Post reply', 'Comment', 'sendButton', 'mail-send', 'btn_send',
      'Senden', 'Antworten', 'Veröffentlichen', 'Envoyer', 'Répondre', 'Enviar', 'Responder', 'Invia', 'Rispondi',
      'Verzenden', 'Versturen', 'Wyślij', 'WYŚLIJ', 'Odpowiedz', 'Отправить', 'ОТВЕТИТЬ', 'Gönder', 'Yanıtla', 'YANITLA',
      '发送', '發送', '回复', '发布', '送信', '送信する', '返信', '보내기', '전송', '답장',
    ],
    pay: ['Pay', 'Pay 49.90 €', 'Check out', 'Bezahlen', 'Zahlungspflichtig bestellen', 'Payer', 'Pagar', 'Paga ora', 'Betalen', 'Zapłać', 'Оплатить', 'Öde', 'ÖDE', '支付', '立即付款', '支払う', '결제하기'],
    buy: ['Buy now', 'Place your order', 'Order', 'Kaufen', 'Bestellen', 'Acheter', 'Commander', 'Comprar', 'Acquista', 'Kopen', 'Kup teraz', 'Купить', 'Satın al', '购买', '購入する', '구매'],
    delete: [
      'Delete', 'Delete message', 'Erase', 'Empty Trash', 'Format', 'Format Disk…', 'edit-delete', 'Löschen', 'LÖSCHEN', 'Papierkorb leeren', 'Formatieren',
      'Supprimer', 'Effacer', 'Eliminar', 'Borrar', 'Elimina', 'Cancella', 'Apagar', 'Excluir', 'Verwijderen', 'Usuń', 'Удалить', 'Sil', 'SİL', '删除', '格式化', '削除', '삭제',
    ],
    sign: ['Sign', 'Sign document', 'Unterschreiben', 'Signer', 'Firmar', 'Firma', 'Assinar', 'Ondertekenen', 'Podpisz', 'Подписать', 'İmzala', '签署', '署名', '서명'],
  }; // prettier-ignore
  for (const [kind, names] of Object.entries(NAMES))
    test(kind, () => {
      for (const name of names) expect([name, kindNamed(name)]).toEqual([name, kind]);
    });

  test('words are whole words, and names that only hold such a noun promise nothing', () => {
    for (const name of [
      '',
      'OK',
      'Sender',
      'Resort',
      'Silver',
      'Payload',
      'Deleted items',
      'Sort order',
      'Order by date',
      'Signal',
      'Sign in',
      'Sign out',
      'Design',
      'Postpone',
      'Posts',
      'Blog post',
      'Background',
      'Information',
      'Format',
      'Formatting options',
      'Backspace',
      'Back',
      'Save',
      'Cancel',
      'Borders',
      'Buyer protection',
      'Forward',
      'Reload this page',
      'Comments',
      'Wissen',
      'Compare',
      '设置',
      '取消',
      'キャンセル',
      '취소',
    ].filter((name) => name !== 'Format'))
      // prettier-ignore
      expect([name, kindNamed(name)]).toEqual([name, null]);
  });

  test('of a long name, or of a text that is no control, only the beginning counts', () => {
    expect(kindNamed('Eight words and more are the headline of an article about how to delete files')).toBeNull();
    expect(kindNamed('Delete this message and every other one of the same sender for good')).toBe('delete');
    expect(kindNamed('Please send', true)).toBeNull();
    expect(kindNamed('Send', true)).toBe('send');
    expect(kindNamed('Send money to somebody', true)).toBeNull();
    expect(kindNamed('この設定ではメールの送信に使うサーバーと暗号の種類を変えられます')).toBeNull();
    expect(kindNamed('選んだメッセージをすべてこのフォルダーから今すぐ削除')).toBe('delete');
  });
});

test('[req:AC-2] fields for the data of a payment are known by their labels', () => {
  for (const label of [
    'Card number',
    'CVV',
    'cardNumber',
    'cc-number',
    'ccNumber',
    'IBAN',
    'Kartennummer',
    'Numéro de carte',
    '信用卡号',
    'カード番号',
  ])
    expect([label, isPaymentField(label)]).toEqual([label, true]);
  for (const label of ['', 'Name', 'Postcard', 'Number', 'Civic', 'Business card'])
    expect([label, isPaymentField(label)]).toEqual([label, false]);
});

test('[req:AC-2] the number of a card is known by its check digit, whatever its field is called', () => {
  for (const text of ['4111111111111111', '4111 1111 1111 1111', '3782-822463-10005'])
    expect([text, isCardNumber(text)]).toEqual([text, true]);
  for (const text of ['', '4111111111111112', '0000000000000000', '411111111111', '+49 30 1234567', '2026-11-22'])
    expect([text, isCardNumber(text)]).toEqual([text, false]);
});

test('[req:AC-4] sums of money are told from other numbers', () => {
  for (const text of ['49.90 €', '$5', 'Total: EUR 1.200,00', '1 200 zł', '¥3,000', '300円', '12 TL', 'CHF 3'])
    expect([text, isAmount(text)]).toEqual([text, true]);
  for (const text of ['', '49.90', 'Row 5', '12:30', 'EUR', 'KRATER 5x', '3 items'])
    expect([text, isAmount(text)]).toEqual([text, false]);
});

const LANGUAGES = 'en zh hi es fr ar bn pt ru ur id de ja pcm mr te tr ta yue vi ko it th gu fa pl uk ro nl el hu cs sv he da fi no sk bg hr'.split(' '); // prettier-ignore

test('[req:RC-4] the table has verbs of 40 languages with where they were compared, and every list of theirs', () => {
  expect(Object.keys(table.languages)).toEqual(expect.arrayContaining(LANGUAGES));
  for (const [language, { from, ...lists }] of Object.entries(table.languages)) {
    for (const source of from.split(' ')) expect(Object.keys(table.sources)).toContain(source);
    expect([language, Object.keys(lists).toSorted()]).toEqual([language, expect.arrayContaining(['authorize', 'buy', 'context', 'delete', 'pay', 'plain', 'send', 'sign'])]); // prettier-ignore
  }
});

test('[req:RC-4] labels of real programs: what acts is recognised, everyday labels are not, in every language', () => {
  const all = (bySource: Readonly<Record<string, string>>) => Object.values(bySource).flatMap((one) => one.split('|'));
  let [acting, everyday] = [0, 0];
  for (const [language, list] of Object.entries(labels.languages)) {
    const [acts, others] = [all(list.acts), all(list.everyday)];
    [acting, everyday] = [acting + acts.length, everyday + others.length];
    expect([language, acts.filter((label) => kindNamed(label) === null)]).toEqual([language, []]);
    expect([language, others.filter((label) => kindNamed(label) !== null)]).toEqual([language, []]);
  }
  expect(acting).toBeGreaterThan(900);
  expect(everyday).toBeGreaterThan(1500);
});

test('[req:RC-1] the attacks that ran unasked once', () => {
  for (const name of ['Pay now 500 EUR', 'Delete account', 'Order with obligation to pay', 'Transfer $500', 'Authorize', 'Drop table', 'Merge pull request', 'Grant access', 'Log out everywhere', 'Close account', 'Deploy to production', 'Submit order', 'Revoke token', 'I agree'])
    expect([name, kindNamed(name)]).not.toEqual([name, null]); // prettier-ignore
});

test('[req:RC-2] names that press without consequences, and words that say what a page is for', () => {
  for (const name of ['Cancel', 'Back', 'Zurück', 'Abbrechen', '閉じる', 'Скрыть', 'Show details'])
    expect([name, isPlainName(name)]).toEqual([name, true]);
  for (const name of ['Continue', 'Next', 'OK', 'Yes', 'Weiter', 'Finish', 'Go'])
    expect([name, isPlainName(name)]).toEqual([name, false]);
  for (const text of ['Checkout', '/account/delete', 'Your payment', 'Danger zone', 'Kasse', 'お支払い'])
    expect([text, namesContext(text)]).toEqual([text, true]);
  for (const text of ['', 'Shop', 'Letter', 'Untitled - Mousepad', '/board', 'News of today'])
    expect([text, namesContext(text)]).toEqual([text, false]);
});
