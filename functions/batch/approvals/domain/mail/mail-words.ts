import { translations } from '../../../../../shared/ui/translations.ts';

export const mailWords = translations({
  subject: { en: 'Approve payments', 'pt-BR': 'Aprovar pagamentos' },
  greeting: { en: (name: string) => `Hello ${name},`, 'pt-BR': (name: string) => `Olá, ${name}.` },
  request: {
    en: (host: string) =>
      `Sinete, the signing service at ${host}, asks for your decision on a file of payments. It is signed only when enough people have approved it.`,
    'pt-BR': (host: string) =>
      `O Sinete, serviço de assinatura em ${host}, pede a sua decisão sobre um arquivo de pagamentos. O arquivo só será assinado quando um número suficiente de pessoas o aprovar.`,
  },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  total: { en: 'Total', 'pt-BR': 'Total' },
  payments: { en: 'Payments', 'pt-BR': 'Pagamentos' },
  dates: { en: 'Payment dates', 'pt-BR': 'Datas de pagamento' },
  until: { en: 'Decide until', 'pt-BR': 'Decidir até' },
  noDates: { en: 'none in the file', 'pt-BR': 'nenhuma no arquivo' },
  noLimit: { en: 'no time limit', 'pt-BR': 'sem prazo' },
  between: {
    en: (first: string, last: string) => `${first} to ${last}`,
    'pt-BR': (first: string, last: string) => `${first} a ${last}`,
  },
  open: { en: 'See the payments and decide', 'pt-BR': 'Ver os pagamentos e decidir' },
  personal: {
    en: 'This link is yours alone: do not pass it on. Whoever has it decides in your name.',
    'pt-BR': 'Este link é só seu: não o encaminhe. Quem o tiver decide em seu nome.',
  },
  noLink: {
    en: 'Decide in the approval portal. Its operator gives you the link.',
    'pt-BR': 'Decida no portal de aprovações. O operador fornece o link.',
  },
  notAnswered: {
    en: 'This message was sent by a program. Answers are not read.',
    'pt-BR': 'Esta mensagem foi enviada por um programa. Respostas não são lidas.',
  },
});
