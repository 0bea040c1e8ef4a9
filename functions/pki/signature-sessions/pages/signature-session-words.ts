import { translations } from '../../../../shared/ui/translations.ts';

/** What the page of a signature session says before anybody acts. */
export const signatureSessionWords = translations({
  title: { en: 'Sign documents', 'pt-BR': 'Assinar documentos' },
  needsScript: {
    en: 'To sign, turn JavaScript on and reload the page.',
    'pt-BR': 'Para assinar, ative o JavaScript e recarregue a página.',
  },
  documents: { en: 'Documents', 'pt-BR': 'Documentos' },
  readFirst: { en: 'Read them before you sign.', 'pt-BR': 'Leia antes de assinar.' },
  yourSignature: { en: 'Your signature', 'pt-BR': 'Sua assinatura' },
  sign: { en: 'Sign all documents', 'pt-BR': 'Assinar todos os documentos' },
  cancel: { en: 'Cancel…', 'pt-BR': 'Cancelar…' },
  cancelTitle: { en: 'Sign nothing?', 'pt-BR': 'Não assinar nada?' },
  cancelHint: {
    en: 'The session ends, and none of its documents is signed.',
    'pt-BR': 'A sessão termina, e nenhum documento dela fica assinado.',
  },
  keep: { en: 'Go on signing', 'pt-BR': 'Continuar assinando' },
  confirmCancel: { en: 'Sign nothing', 'pt-BR': 'Não assinar' },
  goBack: { en: 'Go back', 'pt-BR': 'Voltar' },
});
