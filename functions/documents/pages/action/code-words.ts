import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the page that asks for a code by mail before it shows a document. */
export const codeWords = translations({
  title: { en: 'Confirm your address', 'pt-BR': 'Confirme seu e‑mail' },
  asks: {
    en: (who: string) => `${who} shows you a document after a code that is sent to your address.`,
    'pt-BR': (who: string) => `${who} mostra o documento após um código enviado ao seu e-mail.`,
  },
  asksNobody: {
    en: 'The document is shown after a code that is sent to your address.',
    'pt-BR': 'O documento é mostrado após um código enviado ao seu e-mail.',
  },
  address: { en: 'Your address', 'pt-BR': 'Seu e-mail' },
  send: { en: 'Send me the code', 'pt-BR': 'Enviar o código' },
  sendAgain: { en: 'Send a new code', 'pt-BR': 'Enviar um novo código' },
  sent: {
    en: 'The code is on its way. It may take a minute; look into the spam folder too.',
    'pt-BR': 'O código está a caminho. Pode levar um minuto; veja também a pasta de spam.',
  },
  code: { en: 'Code', 'pt-BR': 'Código' },
  hint: {
    en: 'Six digits, valid for 10 minutes.',
    'pt-BR': 'Seis dígitos, válidos por 10 minutos.',
  },
  open: { en: 'Open the document', 'pt-BR': 'Abrir o documento' },
  wrong: {
    en: (left: number) =>
      `This is not the code that was sent last. ${left === 1 ? 'One attempt is' : `${left} attempts are`} left.`,
    'pt-BR': (left: number) =>
      `Este não é o último código enviado. ${left === 1 ? 'Resta uma tentativa' : `Restam ${left} tentativas`}.`,
  },
  expired: {
    en: 'No code is valid any more. Send a new one.',
    'pt-BR': 'Nenhum código vale mais. Envie um novo.',
  },
  tooMany: {
    en: 'Three codes were sent within a few minutes. Wait ten minutes, or look for the last one.',
    'pt-BR': 'Três códigos foram enviados em poucos minutos. Espere dez minutos, ou procure o último.',
  },
  impossible: {
    en: 'No code can be sent to you: your address is not known, or mail is off. Ask the sender.',
    'pt-BR':
      'Não é possível enviar um código: seu e-mail não é conhecido, ou o envio está desligado. Fale com quem enviou.',
  },
});
