import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of an action page at which nothing is left to do. */
export const closedWords = translations({
  doneSignature: { en: 'You signed this document', 'pt-BR': 'Você assinou este documento' },
  doneApproval: { en: 'You approved this document', 'pt-BR': 'Você aprovou este documento' },
  doneRefusal: { en: 'You refused this document', 'pt-BR': 'Você recusou este documento' },
  othersFollow: {
    en: 'Others still have their part to do. The link stays open to you for some days, and shows the file with their signatures then.',
    'pt-BR':
      'Outras pessoas ainda têm a parte delas. O link continua aberto para você por alguns dias, e depois mostra o arquivo com as assinaturas delas.',
  },
  allDone: { en: 'Everybody has done their part.', 'pt-BR': 'Todos fizeram a sua parte.' },
  keepFile: {
    en: 'Keep the signed file: it is the original. A print of it is a copy.',
    'pt-BR': 'Guarde o arquivo assinado: ele é o original. Uma impressão dele é uma cópia.',
  },
  refusalTold: {
    en: 'Nobody can sign it any more. The sender received your reason.',
    'pt-BR': 'Ninguém mais pode assinar. Quem enviou foi informado do motivo.',
  },
  notNeededTitle: { en: 'You are no longer needed', 'pt-BR': 'Sua parte não é mais necessária' },
  othersWereEnough: {
    en: 'Enough others have acted. There is nothing left for you to do.',
    'pt-BR': 'Outras pessoas já bastaram. Não há mais nada para você fazer.',
  },
  notYet: { en: 'It is not your turn yet', 'pt-BR': 'Ainda não é a sua vez' },
  notYetHint: {
    en: 'Others act before you. Come back with the same link.',
    'pt-BR': 'Outras pessoas agem antes de você. Volte com o mesmo link.',
  },
  isRefused: { en: 'The document was refused', 'pt-BR': 'O documento foi recusado' },
  isCanceled: { en: 'The document was canceled', 'pt-BR': 'O documento foi cancelado' },
  isExpired: { en: 'The document has expired', 'pt-BR': 'O documento expirou' },
  noEffect: {
    en: 'It has no effect, and a file with the signatures made so far is not given out.',
    'pt-BR': 'Ele não tem efeito, e um arquivo com as assinaturas já feitas não é fornecido.',
  },
  isComplete: { en: 'The document is complete', 'pt-BR': 'O documento está completo' },
  nothingToDo: { en: 'There is nothing left for you to do.', 'pt-BR': 'Não há mais nada para você fazer.' },

  downloadDocument: { en: 'Download the document', 'pt-BR': 'Baixar o documento' },
  downloadSigned: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },
  verify: { en: 'Verify the signatures', 'pt-BR': 'Verificar as assinaturas' },
  code: { en: 'Verification code:', 'pt-BR': 'Código de verificação:' },
  codeHint: {
    en: 'Whoever has the code sees the state of the document and who signed, and gets the file once all have.',
    'pt-BR':
      'Quem tem o código vê a situação do documento e quem assinou, e obtém o arquivo depois que todos assinarem.',
  },
});
