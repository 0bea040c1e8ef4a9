import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the sandbox's mailboxes. */
export const mailboxWords = translations({
  mailboxes: { en: 'Mailboxes', 'pt-BR': 'Caixas de correio' },
  title: {
    en: (address: string) => `Mail to ${address}`,
    'pt-BR': (address: string) => `E-mails para ${address}`,
  },
  none: {
    en: 'No mail has arrived in the last day. An approver gets one when a payment file waits for them: run the example sign-folder. A signer gets one where the organization of a document has turned mail on: see docs/mail.md.',
    'pt-BR':
      'Nenhum e-mail chegou no último dia. Quem aprova recebe um quando um arquivo de pagamento espera: execute o exemplo sign-folder. Quem assina recebe um quando a organização do documento ligou o envio: veja docs/mail.md.',
  },
  newest: { en: 'The newest:', 'pt-BR': 'O mais recente:' },
  noSubject: { en: 'Without a subject', 'pt-BR': 'Sem assunto' },
  from: { en: 'From', 'pt-BR': 'De' },
  to: { en: 'To', 'pt-BR': 'Para' },
  received: { en: 'Received', 'pt-BR': 'Recebido' },
  links: { en: 'Links in it', 'pt-BR': 'Links da mensagem' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },
  text: { en: 'Plain text', 'pt-BR': 'Texto simples' },
});
