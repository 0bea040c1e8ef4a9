import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of mail to the people of a document. */
export const mailWords = translations({
  signTitle: { en: 'Sign a document', 'pt-BR': 'Assinar documento' },
  approveTitle: { en: 'Approve a document', 'pt-BR': 'Aprovar documento' },
  signReminderTitle: { en: 'Reminder: sign a document', 'pt-BR': 'Lembrete: assinar documento' },
  approveReminderTitle: { en: 'Reminder: approve a document', 'pt-BR': 'Lembrete: aprovar documento' },
  signRequest: {
    en: (who: string) => `${who} asks for your signature on a document.`,
    'pt-BR': (who: string) => `${who} pede sua assinatura em um documento.`,
  },
  approveRequest: {
    en: (who: string) => `${who} asks for your approval of a document.`,
    'pt-BR': (who: string) => `${who} pede sua aprovação de um documento.`,
  },
  signReminder: {
    en: (who: string) => `${who} still waits for your signature on a document.`,
    'pt-BR': (who: string) => `${who} ainda espera sua assinatura em um documento.`,
  },
  approveReminder: {
    en: (who: string) => `${who} still waits for your approval of a document.`,
    'pt-BR': (who: string) => `${who} ainda espera sua aprovação de um documento.`,
  },
  sign: { en: 'Read and sign', 'pt-BR': 'Ler e assinar' },
  approve: { en: 'Read and approve', 'pt-BR': 'Ler e aprovar' },
  see: { en: 'See the document', 'pt-BR': 'Ver o documento' },
  fetch: { en: 'See and download the document', 'pt-BR': 'Ver e baixar o documento' },
  fetchSigned: { en: 'See and download the signed file', 'pt-BR': 'Ver e baixar o arquivo assinado' },

  document: { en: 'Document', 'pt-BR': 'Documento' },
  until: { en: 'Until', 'pt-BR': 'Prazo' },
  personal: {
    en: 'This link is yours alone: do not pass it on. Whoever has it sees the document and acts in your name.',
    'pt-BR': 'Este link é só seu: não o encaminhe. Quem o tiver vê o documento e pode agir em seu nome.',
  },
  withCode: {
    en: 'Before the document is shown, a code is sent to this address.',
    'pt-BR': 'Antes de mostrar o documento, um código é enviado a este endereço.',
  },

  RefusedTitle: { en: 'Document refused', 'pt-BR': 'Documento recusado' },
  CanceledTitle: { en: 'Document canceled', 'pt-BR': 'Documento cancelado' },
  ExpiredTitle: { en: 'Document expired', 'pt-BR': 'Documento expirado' },
  ConcludedTitle: { en: 'Document concluded', 'pt-BR': 'Documento concluído' },
  Refused: {
    en: (who: string) => `A document of ${who} was refused. There is nothing for you to do.`,
    'pt-BR': (who: string) => `Um documento de ${who} foi recusado. Não há nada para você fazer.`,
  },
  Canceled: {
    en: (who: string) => `${who} canceled a document. There is nothing left for you to do.`,
    'pt-BR': (who: string) => `${who} cancelou um documento. Não há mais nada para você fazer.`,
  },
  Expired: {
    en: (who: string) => `The time of a document of ${who} has passed before everybody had done their part.`,
    'pt-BR': (who: string) =>
      `O prazo de um documento de ${who} terminou antes que todos fizessem a sua parte.`,
  },
  // To whoever sent the document at the console.
  ownRefused: {
    en: 'A document that you sent was refused. The page of the document has the reason.',
    'pt-BR': 'Um documento que você enviou foi recusado. O motivo está na página do documento.',
  },
  ownCanceled: {
    en: 'A document that you sent was canceled. The page of the document says by whom and why.',
    'pt-BR': 'Um documento que você enviou foi cancelado. A página do documento diz por quem e por quê.',
  },
  ownExpired: {
    en: 'The time of a document that you sent has passed before everybody had done their part.',
    'pt-BR': 'O prazo de um documento que você enviou terminou antes que todos fizessem a sua parte.',
  },
  ownConcluded: {
    en: 'Everybody has done their part in a document that you sent.',
    'pt-BR': 'Todos fizeram a sua parte em um documento que você enviou.',
  },
  undeliveredTitle: { en: 'Mail not delivered', 'pt-BR': 'E-mail não entregue' },
  undelivered: {
    en: 'A message about a document that you sent did not reach its person. Correct the address, or give them the link, on the page of the document.',
    'pt-BR':
      'Uma mensagem sobre um documento que você enviou não chegou à pessoa. Corrija o e-mail, ou entregue o link, na página do documento.',
  },
  addressee: { en: 'To', 'pt-BR': 'Para' },
  refusedBy: { en: 'Refused by', 'pt-BR': 'Recusado por' },
  withCertificateOf: {
    en: (holder: string) => `signed with the certificate of ${holder}`,
    'pt-BR': (holder: string) => `assinado com o certificado de ${holder}`,
  },
  Concluded: {
    en: (who: string) => `Everybody has done their part in a document of ${who}.`,
    'pt-BR': (who: string) => `Todos fizeram a sua parte em um documento de ${who}.`,
  },
});
