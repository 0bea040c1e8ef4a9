import { translations } from '../../../../../../shared/ui/translations.ts';

export const generalWords = translations({
  name: { en: 'Name', 'pt-BR': 'Nome' },
  personal: { en: 'Personal organization', 'pt-BR': 'Organização pessoal' },
  yourRole: { en: 'Your role', 'pt-BR': 'Sua função' },
  branding: { en: 'How signers see you', 'pt-BR': 'Como os signatários veem você' },
  brandingHint: {
    en: 'On signing pages, in mail, and where documents are verified.',
    'pt-BR': 'Nas páginas de assinatura, nos e-mails e na verificação de documentos.',
  },
  displayName: { en: 'Name shown', 'pt-BR': 'Nome exibido' },
  displayNameHint: { en: 'Empty: the name above.', 'pt-BR': 'Vazio: o nome acima.' },
  color: { en: 'Color', 'pt-BR': 'Cor' },
  colorHint: { en: 'As #1f4f82. Empty: none.', 'pt-BR': 'Como #1f4f82. Vazio: nenhuma.' },
  logo: { en: 'Logo', 'pt-BR': 'Logotipo' },
  newLogo: { en: 'New logo', 'pt-BR': 'Novo logotipo' },
  logoHint: { en: 'PNG or JPEG, up to 100 KB.', 'pt-BR': 'PNG ou JPEG, até 100 KB.' },
  removeLogo: { en: 'Remove the logo', 'pt-BR': 'Remover o logotipo' },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  brandingDone: { en: 'Saved. Signers see it from now on.', 'pt-BR': 'Salvo. Os signatários já veem assim.' },
  brandingWrong: {
    en: 'The name has up to 80 characters, the color is as #1f4f82, and the logo is a PNG or JPEG of up to 100 KB.',
    'pt-BR':
      'O nome tem até 80 caracteres, a cor é como #1f4f82 e o logotipo é um PNG ou JPEG de até 100 KB.',
  },
  mail: { en: 'Mail to signers', 'pt-BR': 'E-mail aos signatários' },
  mailEnabled: { en: 'Send mail', 'pt-BR': 'Enviar e-mails' },
  mailEnabledHint: {
    en: 'Invitations, reminders and the end of a document.',
    'pt-BR': 'Convites, lembretes e o fim de um documento.',
  },
  requiresCode: { en: 'Ask for a code', 'pt-BR': 'Pedir um código' },
  requiresCodeHint: {
    en: 'A link shows the document only after a code that is sent to the person.',
    'pt-BR': 'Um link mostra o documento só depois de um código enviado à pessoa.',
  },
  mailDone: {
    en: 'Saved. It acts on what happens from now on.',
    'pt-BR': 'Salvo. Vale para o que acontecer agora.',
  },
});
