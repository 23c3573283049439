/** Labels of buttons, links and menu items with consequences, in several languages. Data only. */

export type ConsequenceKind = 'send' | 'pay' | 'buy' | 'delete' | 'sign' | 'submit';

/** `any`: anywhere in the name; `first`: at its beginning; `whole`: the entire name. */
export interface Terms {
  any: readonly string[];
  first: readonly string[];
  whole: readonly string[];
}

const splitTerms = (text: string): string[] => text.split(/\s*,\s*|\s*\n\s*/).filter((word) => word !== '');

const SEND: Terms = {
  any: splitTerms(`send, reply, publish, tweet, submit, broadcast, resend
    senden, sende, absenden, versenden, abschicken, schicken, verschicken, antworten, posten, veröffentlichen, publizieren, einreichen, übermitteln
    envoyer, envoi, envoyez, répondre, répondez, publier, publiez, poster, soumettre, transmettre, expédier, diffuser
    enviar, envía, envíe, responder, responde, publicar, publica, postear, contestar, remitir, mandar
    invia, inviare, spedisci, spedire, rispondi, rispondere, pubblica, pubblicare, trasmetti
    envie, publique, postar, submeter, responda
    verzenden, versturen, verstuur, verzend, stuur, beantwoorden, antwoorden, beantwoord, publiceren, publiceer, indienen, inzenden
    wyślij, wysłać, odpowiedz, opublikuj, publikuj, zamieść, prześlij
    отправить, отправь, послать, ответить, опубликовать, публиковать, разместить, выслать, переслать
    gönder, yolla, yanıtla, cevapla, yayınla, yayımla
    发送, 發送, 传送, 傳送, 寄出, 寄送, 发出, 發出, 发布, 發布, 發佈, 发表, 發表, 回复, 回覆, 答复, 提交, 投稿
    送信, 送る, 返信, 発信, 送付, 提出, 公開する, ツイート
    보내기, 보내, 전송, 발송, 답장, 회신, 게시, 발행, 제출`),
  first: splitTerms('post'),
  whole: splitTerms('comment, plaatsen, posta, 公開, 公开'),
};

const PAY: Terms = {
  any: splitTerms(`pay, donate, check out, checkout, send money, transfer money, transfer funds, make payment, confirm payment, submit payment
    bezahlen, zahlen, zahlungspflichtig, kostenpflichtig, überweisen, spenden, bezahle, zur Kasse
    payer, payez, régler, effectuer le paiement, valider le paiement, faire un don
    pagar, pague, transferir, donar, abonar
    pagare, bonifica, donare
    doar
    betalen, betaal, overmaken, doneren, doneer, afrekenen
    zapłać, zapłacić, opłać, przelej, wpłać
    оплатить, заплатить, платить, пожертвовать
    öde, ödeme yap, ödemeyi onayla, ödemeyi tamamla, bağış yap, para gönder
    支付, 付款, 付费, 付費, 转账, 轉帳, 轉賬, 结账, 結帳, 捐款, 汇款, 匯款
    支払う, 支払い, 決済, 振込, 送金, 寄付
    결제, 지불, 송금, 이체, 기부, 납부`),
  first: splitTerms('paga'),
  whole: splitTerms('transfer, dona'),
};

const BUY: Terms = {
  any: splitTerms(`buy, purchase, subscribe, place order, place your order, place bid, order now, submit order, confirm order, complete order, book now
    kaufen, bestellen, kaufe, bestelle, abonnieren, buchen, ersteigern
    acheter, achetez, commander, commandez, enchérir, passer la commande, passer commande, s'abonner
    comprar, compre, encargar, suscribirse, pujar, realizar pedido, hacer pedido, tramitar pedido, finalizar compra, compra ahora
    acquista, acquistare, comprare, ordina, ordinare, abbonati
    encomendar, fazer pedido, finalizar pedido, compre
    kopen, bestel, abonneren, boeken
    kup, kupić, kupuję, zamów, zamówić, zamawiam, subskrybuj, licytuj
    купить, заказать, приобрести, оформить заказ, забронировать
    satın al, sipariş ver, siparişi onayla, siparişi tamamla
    购买, 購買, 下单, 下單, 订购, 訂購, 抢购, 预订, 預訂
    購入, 注文, 買う, 予約する, 申し込む
    구매, 주문, 구입, 예약하기`),
  first: splitTerms('compra'),
  whole: splitTerms('order, bid, koop, sipariş'),
};

const DELETE: Terms = {
  any: splitTerms(`delete, erase, wipe, destroy, shred, trash, uninstall, remove, purge, discard, reformat, empty trash, factory reset, format disk, format drive, format partition, format volume, format card, format usb
    löschen, lösche, entfernen, vernichten, verwerfen, deinstallieren, formatieren, Papierkorb leeren
    supprimer, supprimez, effacer, détruire, enlever, désinstaller, formater, vider la corbeille
    eliminar, borrar, suprimir, destruir, quitar, desinstalar, formatear, descartar, vaciar la papelera, vaciar papelera
    elimina, eliminare, cancella, cancellare, rimuovi, rimuovere, distruggi, disinstalla, formatta, formattare, svuota cestino, svuota il cestino
    excluir, exclua, apagar, remover, deletar, formatar, esvaziar lixeira, esvaziar a lixeira
    verwijderen, verwijder, vernietigen, formatteren, formatteer, prullenbak legen, prullenmand legen
    usuń, usunąć, skasuj, kasuj, wymaż, zniszcz, odinstaluj, sformatuj, formatuj, odrzuć, opróżnij kosz
    удалить, удали, стереть, уничтожить, форматировать, отформатировать, очистить корзину
    sil, kaldır, yok et, biçimlendir, çöpü boşalt
    删除, 刪除, 抹掉, 抹除, 移除, 格式化, 清空, 卸载, 销毁, 粉碎
    削除, 消去, 初期化, フォーマット, 破棄, ゴミ箱を空に
    삭제, 제거, 포맷, 비우기, 폐기`),
  first: [],
  whole: splitTerms('format'),
};

const SIGN: Terms = {
  any: splitTerms(`countersign, esign, e-sign, sign document, sign and send, sign contract, sign message, sign transaction
    unterschreiben, unterzeichnen, signieren
    signer, signez
    firmar, firme
    firmare
    assinar, assine
    ondertekenen, onderteken
    podpisz, podpisać
    подписать
    imzala
    签名, 簽名, 签署, 簽署, 签字
    署名
    서명`),
  first: [],
  whole: splitTerms('sign, firma'),
};

export const TERMS: ReadonlyMap<ConsequenceKind, Terms> = new Map([
  ['pay', PAY],
  ['buy', BUY],
  ['delete', DELETE],
  ['sign', SIGN],
  ['send', SEND],
]);

/** Labels of fields for payment data. */
export const PAYMENT_FIELDS: readonly string[] =
  splitTerms(`card number, cardnumber, ccnumber, cc number, cc num, cc csc, cc cvc, cc exp, cc name, credit card, debit card, name on card, cvv, cvc, cvc2, security code, iban, account number, routing number, sort code, expiry date, expiration date
  Kartennummer, Kreditkarte, Kreditkartennummer, Prüfnummer, Kartenprüfnummer, Kontonummer
  numéro de carte, carte bancaire, carte de crédit, cryptogramme
  número de tarjeta, tarjeta de crédito, código de seguridad
  numero di carta, numero della carta, carta di credito
  número do cartão, cartão de crédito
  kaartnummer, creditcard, rekeningnummer
  numer karty, numer konta, numer rachunku
  номер карты, номер счета
  kart numarası, kredi kartı
  卡号, 卡號, 信用卡, 银行卡, 安全码
  カード番号, クレジットカード, セキュリティコード
  카드 번호, 카드번호, 신용카드`);
