import { translations } from '../../../../shared/ui/translations.ts';

/** The words of the two lists, on the page and in the spreadsheet. */
export const listWords = translations({
  pending: { en: 'Waiting for you', 'pt-BR': 'Aguardando você' },
  decided: { en: 'Decided', 'pt-BR': 'Decididas' },
  noPending: { en: 'Nothing waits for you', 'pt-BR': 'Nada espera por você' },
  noPendingHint: {
    en: 'When a payment file needs your decision, it appears here.',
    'pt-BR': 'Quando um arquivo de pagamento precisar da sua decisão, ele aparece aqui.',
  },
  noDecided: { en: 'You have decided nothing yet', 'pt-BR': 'Você ainda não decidiu nada' },
  decidedHint: {
    en: (days: number) => `Your decisions of the last ${days} days.`,
    'pt-BR': (days: number) => `Suas decisões dos últimos ${days} dias.`,
  },
  pendingHint: {
    en: 'Open a file to see what it pays, and decide.',
    'pt-BR': 'Abra um arquivo para ver o que ele paga e decidir.',
  },
  more: {
    en: (count: number) => `Only the first ${count} are shown. The spreadsheet has all of them.`,
    'pt-BR': (count: number) => `Só os primeiros ${count} aparecem. A planilha tem todos.`,
  },
  cut: {
    en: (count: number) => `The list goes on: this spreadsheet has its first ${count} rows.`,
    'pt-BR': (count: number) => `A lista continua: esta planilha tem as primeiras ${count} linhas.`,
  },
  spreadsheet: { en: 'Spreadsheet', 'pt-BR': 'Planilha' },
  sameContent: { en: 'Same content as another file', 'pt-BR': 'Mesmo conteúdo de outro arquivo' },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  total: { en: 'Total', 'pt-BR': 'Total' },
  payments: { en: 'Payments', 'pt-BR': 'Pagamentos' },
  dates: { en: 'Payment dates', 'pt-BR': 'Datas de pagamento' },
  since: { en: 'Waits since', 'pt-BR': 'Aguardando desde' },
  expires: { en: 'Expires', 'pt-BR': 'Expira em' },
  expired: { en: 'expired', 'pt-BR': 'expirou' },
  never: { en: 'never', 'pt-BR': 'nunca' },
  decision: { en: 'Decision', 'pt-BR': 'Decisão' },
  decidedAt: { en: 'Decided at', 'pt-BR': 'Decidido em' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  approved: { en: 'Approved', 'pt-BR': 'Aprovado' },
  rejected: { en: 'Rejected', 'pt-BR': 'Rejeitado' },
  job: { en: 'Job id', 'pt-BR': 'Identificador' },
});
