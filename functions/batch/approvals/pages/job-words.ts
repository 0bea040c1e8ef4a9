import { translations } from '../../../../shared/ui/translations.ts';

export const jobWords = translations({
  back: { en: 'All files', 'pt-BR': 'Todos os arquivos' },
  paymentsCount: {
    en: (count: string, isOne: boolean) => `${count} ${isOne ? 'payment' : 'payments'}`,
    'pt-BR': (count: string, isOne: boolean) => `${count} ${isOne ? 'pagamento' : 'pagamentos'}`,
  },
  cancellations: {
    en: (count: string, isOne: boolean) =>
      `The file also cancels ${count} earlier ${isOne ? 'payment' : 'payments'}, not in the total.`,
    'pt-BR': (count: string, isOne: boolean) =>
      `O arquivo também cancela ${count} ${isOne ? 'pagamento anterior' : 'pagamentos anteriores'}, fora do total.`,
  },
  total: { en: 'Total', 'pt-BR': 'Total' },
  paidOn: { en: 'Pays on', 'pt-BR': 'Data de pagamento' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  since: { en: 'Waits since', 'pt-BR': 'Aguardando desde' },
  parked: { en: 'Waited since', 'pt-BR': 'Esperou desde' },
  expires: { en: 'Expires', 'pt-BR': 'Expira em' },
  never: { en: 'never', 'pt-BR': 'nunca' },
  sha256: { en: 'SHA-256 of the file', 'pt-BR': 'SHA-256 do arquivo' },
  download: { en: 'Download the file', 'pt-BR': 'Baixar o arquivo' },
  downloadSigned: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },
  signedGone: {
    en: 'The signed file is no longer kept here.',
    'pt-BR': 'O arquivo assinado não está mais guardado aqui.',
  },
  seePayments: { en: 'See the payments', 'pt-BR': 'Ver os pagamentos' },

  waiting: { en: 'Waits for approval', 'pt-BR': 'Aguardando aprovação' },
  released: { en: 'Approved; being signed', 'pt-BR': 'Aprovado; em assinatura' },
  signed: { en: 'Approved and signed', 'pt-BR': 'Aprovado e assinado' },
  failed: { en: 'Approved, but not signed', 'pt-BR': 'Aprovado, mas não assinado' },
  rejected: { en: 'Rejected', 'pt-BR': 'Rejeitado' },
  expired: {
    en: 'Expired before enough people approved',
    'pt-BR': 'Expirou antes de haver aprovações suficientes',
  },
  canceled: { en: 'Canceled by an operator', 'pt-BR': 'Cancelado por um operador' },

  sameContent: {
    en: 'Another file has the same content',
    'pt-BR': 'Outro arquivo tem o mesmo conteúdo',
  },
  sameContentHint: {
    en: 'Each file that is approved makes these payments again. Reject this one, unless that is meant.',
    'pt-BR':
      'Cada arquivo aprovado faz estes pagamentos de novo. Rejeite este, a não ser que seja de propósito.',
  },
  anotherFile: {
    en: 'A file that you are not asked about',
    'pt-BR': 'Um arquivo que não depende de você',
  },
  andOthers: { en: (count: string) => `and ${count} more`, 'pt-BR': (count: string) => `e mais ${count}` },

  recordedApproved: {
    en: 'Your approval was recorded.',
    'pt-BR': 'Sua aprovação foi registrada.',
  },
  recordedRejected: {
    en: 'Your rejection was recorded. The file will not be signed.',
    'pt-BR': 'Sua rejeição foi registrada. O arquivo não será assinado.',
  },

  rule: { en: 'Who decides', 'pt-BR': 'Quem decide' },
  quorum: {
    en: (quorum: number, pool: number) =>
      `${quorum} of ${pool} ${pool === 1 ? 'person' : 'people'} must approve. One rejection is enough to stop it.`,
    'pt-BR': (quorum: number, pool: number) =>
      `${quorum} de ${pool} ${pool === 1 ? 'pessoa' : 'pessoas'} ${quorum === 1 ? 'precisa' : 'precisam'} aprovar. Uma rejeição basta para impedir.`,
  },
  progress: {
    en: (approved: number, quorum: number) =>
      `${approved} of ${quorum} ${quorum === 1 ? 'approval' : 'approvals'}`,
    'pt-BR': (approved: number, quorum: number) =>
      `${approved} de ${quorum} ${quorum === 1 ? 'aprovação' : 'aprovações'}`,
  },
  approvedBy: { en: 'approved', 'pt-BR': 'aprovou' },
  rejectedBy: { en: 'rejected', 'pt-BR': 'rejeitou' },
  missing: { en: 'has not decided', 'pt-BR': 'não decidiu' },
  you: { en: 'you', 'pt-BR': 'você' },

  lotSums: {
    en: 'The sums of the file are not those of its payments',
    'pt-BR': 'As somas do arquivo não são as dos pagamentos',
  },
  lotSumsHint: {
    en: 'The amount on this page is that of the payments. Ask whoever made the file before you decide.',
    'pt-BR': 'O valor desta página é o dos pagamentos. Pergunte a quem fez o arquivo antes de decidir.',
  },

  changed: {
    en: 'The file is not the one that was submitted for approval',
    'pt-BR': 'O arquivo não é o que foi submetido à aprovação',
  },
  changedHint: {
    en: 'Its content was changed while it waited. It is not shown and cannot be approved. Reject it, and tell whoever sent it.',
    'pt-BR':
      'O conteúdo mudou enquanto ele esperava. Ele não é mostrado e não pode ser aprovado. Rejeite-o e avise quem o enviou.',
  },
  changedEnded: {
    en: 'Its content was changed. It is not shown.',
    'pt-BR': 'O conteúdo mudou. Ele não é mostrado.',
  },
  gone: {
    en: 'The payments of this file are no longer kept here.',
    'pt-BR': 'Os pagamentos deste arquivo não estão mais guardados aqui.',
  },
  goneWaiting: {
    en: 'The file cannot be read, so it cannot be approved here. Tell whoever runs the service.',
    'pt-BR':
      'Não é possível ler o arquivo, então ele não pode ser aprovado aqui. Avise quem administra o serviço.',
  },

  decide: { en: 'Your decision', 'pt-BR': 'Sua decisão' },
  final: { en: 'A decision is final.', 'pt-BR': 'A decisão é definitiva.' },
  approve: {
    en: (total: string) => `Approve ${total}`,
    'pt-BR': (total: string) => `Aprovar ${total}`,
  },
  approveOpen: {
    en: (total: string) => `Approve ${total}…`,
    'pt-BR': (total: string) => `Aprovar ${total}…`,
  },
  approveMeans: {
    en: (total: string, count: string) => `You approve ${total} in ${count}. This cannot be undone.`,
    'pt-BR': (total: string, count: string) =>
      `Você aprova ${total} em ${count}. Isso não pode ser desfeito.`,
  },
  approveNow: {
    en: (total: string) => `Yes, approve ${total}`,
    'pt-BR': (total: string) => `Sim, aprovar ${total}`,
  },
  rejectOpen: { en: 'Reject…', 'pt-BR': 'Rejeitar…' },
  reject: { en: 'Reject this file', 'pt-BR': 'Rejeitar este arquivo' },
  reason: { en: 'Why do you reject it?', 'pt-BR': 'Por que você rejeita?' },
  reasonHint: {
    en: (max: number) => `For the record, and for whoever sent the file. Up to ${max} characters.`,
    'pt-BR': (max: number) => `Fica no registro, para quem enviou o arquivo. Até ${max} caracteres.`,
  },
  enrol: {
    en: 'To decide you need a second factor: an app that shows a code every half minute.',
    'pt-BR':
      'Para decidir você precisa de um segundo fator: um aplicativo que mostra um código a cada meio minuto.',
  },
  enrolLink: { en: 'Set up the second factor', 'pt-BR': 'Configurar o segundo fator' },
  signing: {
    en: (total: string) =>
      `You approve ${total} by signing the file. Your signature becomes part of the signed file.`,
    'pt-BR': (total: string) =>
      `Você aprova ${total} ao assinar o arquivo. Sua assinatura fará parte do arquivo assinado.`,
  },

  payments: { en: 'Payments', 'pt-BR': 'Pagamentos' },
  search: { en: 'Search', 'pt-BR': 'Buscar' },
  searchLabel: {
    en: 'Payee, document, account or value',
    'pt-BR': 'Favorecido, documento, conta ou valor',
  },
  clear: { en: 'Show all', 'pt-BR': 'Mostrar todos' },
  found: {
    en: (count: string, total: string) => `${count} found, ${total}`,
    'pt-BR': (count: string, total: string) => `${count} encontrados, ${total}`,
  },
  noneFound: { en: 'No payment has this.', 'pt-BR': 'Nenhum pagamento encontrado.' },
  noPayments: { en: 'The file has no payments.', 'pt-BR': 'O arquivo não tem pagamentos.' },
  payee: { en: 'Payee', 'pt-BR': 'Favorecido' },
  to: { en: 'To', 'pt-BR': 'Destino' },
  date: { en: 'Date', 'pt-BR': 'Data' },
  value: { en: 'Value', 'pt-BR': 'Valor' },
  bank: { en: 'Bank', 'pt-BR': 'Banco' },
  branch: { en: 'branch', 'pt-BR': 'agência' },
  account: { en: 'account', 'pt-BR': 'conta' },
  barcode: { en: 'Barcode', 'pt-BR': 'Código de barras' },
  noAccount: { en: 'No account given', 'pt-BR': 'Sem conta informada' },
  unnamed: { en: '(no name)', 'pt-BR': '(sem nome)' },
  kindA: { en: 'Transfer', 'pt-BR': 'Transferência' },
  kindJ: { en: 'Bank slip', 'pt-BR': 'Boleto' },
  kindO: { en: 'Bill', 'pt-BR': 'Conta ou tributo' },
  kindN: { en: 'Tax', 'pt-BR': 'Tributo' },
  cancels: { en: 'cancels an earlier payment', 'pt-BR': 'cancela um pagamento anterior' },
  pages: { en: 'Pages of payments', 'pt-BR': 'Páginas de pagamentos' },
  page: {
    en: (page: string, count: string) => `Page ${page} of ${count}`,
    'pt-BR': (page: string, count: string) => `Página ${page} de ${count}`,
  },
  previous: { en: 'Previous', 'pt-BR': 'Anterior' },
  next: { en: 'Next', 'pt-BR': 'Próxima' },
});
