import { translations } from '../../../../../shared/ui/translations.ts';

export const jobWords = translations({
  back: { en: 'All jobs', 'pt-BR': 'Todos os trabalhos' },
  facts: { en: 'Job', 'pt-BR': 'Trabalho' },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  id: { en: 'Id', 'pt-BR': 'Identificador' },
  path: { en: 'Path', 'pt-BR': 'Caminho' },
  folder: { en: 'Input folder', 'pt-BR': 'Pasta de entrada' },
  format: { en: 'Format', 'pt-BR': 'Formato' },
  source: { en: 'Source', 'pt-BR': 'Origem' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  created: { en: 'Created', 'pt-BR': 'Criado' },
  updated: { en: 'Changed', 'pt-BR': 'Alterado' },
  reference: { en: 'External reference', 'pt-BR': 'Referência externa' },
  instance: { en: 'Instance', 'pt-BR': 'Instância' },
  size: { en: 'Size', 'pt-BR': 'Tamanho' },
  sha256: { en: 'SHA-256 of the input', 'pt-BR': 'SHA-256 da entrada' },
  parent: { en: 'Retry of', 'pt-BR': 'Repetição de' },
  retriedAs: { en: 'Retried as', 'pt-BR': 'Repetido como' },
  output: { en: 'Signed file', 'pt-BR': 'Arquivo assinado' },
  download: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },
  outputGone: {
    en: 'The signed file has left the output folder, or the profile names its files otherwise by now.',
    'pt-BR': 'O arquivo assinado já não está na pasta de saída, ou o perfil hoje dá outro nome aos arquivos.',
  },
  error: { en: 'What went wrong', 'pt-BR': 'O que deu errado' },
  whyCanceled: { en: 'Why it was canceled', 'pt-BR': 'Por que foi cancelado' },
  recorded: { en: 'Recorded:', 'pt-BR': 'Registrado:' },
  code: { en: 'Code:', 'pt-BR': 'Código:' },

  figures: { en: 'Payments (CNAB240)', 'pt-BR': 'Pagamentos (CNAB240)' },
  total: { en: 'Total', 'pt-BR': 'Total' },
  payments: { en: 'Payments', 'pt-BR': 'Pagamentos' },
  cancellations: { en: 'Cancellations', 'pt-BR': 'Cancelamentos' },
  lotSums: { en: 'Sums that differ', 'pt-BR': 'Somas divergentes' },
  dates: { en: 'Payment dates', 'pt-BR': 'Datas de pagamento' },

  approvals: { en: 'Approvals', 'pt-BR': 'Aprovações' },
  progress: {
    en: (approved: number, quorum: number, pool: number) =>
      `${approved} of ${quorum} approvals, from ${pool} ${pool === 1 ? 'person' : 'people'}`,
    'pt-BR': (approved: number, quorum: number, pool: number) =>
      `${approved} de ${quorum} aprovações, entre ${pool} ${pool === 1 ? 'pessoa' : 'pessoas'}`,
  },
  since: { en: 'Waiting since', 'pt-BR': 'Aguardando desde' },
  expires: { en: 'Expires', 'pt-BR': 'Expira em' },
  approver: { en: 'Approver', 'pt-BR': 'Aprovador' },
  decision: { en: 'Decision', 'pt-BR': 'Decisão' },
  decidedAt: { en: 'Decided at', 'pt-BR': 'Decidido em' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  approved: { en: 'Approved', 'pt-BR': 'Aprovado' },
  rejected: { en: 'Rejected', 'pt-BR': 'Rejeitado' },
  undecided: { en: 'No decision', 'pt-BR': 'Sem decisão' },

  document: { en: 'At the signature platform', 'pt-BR': 'Na plataforma de assinatura' },
  documentId: { en: 'Document', 'pt-BR': 'Documento' },
  signerFolder: { en: 'Folder', 'pt-BR': 'Pasta' },
  documentState: { en: 'State', 'pt-BR': 'Situação' },
  creating: { en: 'Being created there', 'pt-BR': 'Sendo criado lá' },
  waiting: { en: 'Waits for its signers', 'pt-BR': 'Aguarda os signatários' },
  canceledThere: { en: 'Canceled there too', 'pt-BR': 'Cancelado lá também' },
  notCanceledThere: {
    en: 'Not canceled there: somebody may still sign it. Cancel it on the platform.',
    'pt-BR': 'Não foi cancelado lá: alguém ainda pode assinar. Cancele-o na plataforma.',
  },
  ended: { en: 'The job has ended', 'pt-BR': 'O trabalho terminou' },
  keyUnused: { en: 'Not signed by this service yet', 'pt-BR': 'Ainda não assinado por este serviço' },
  keyUsed: { en: 'The key was used', 'pt-BR': 'A chave foi usada' },
  signers: { en: 'Signers (CPF)', 'pt-BR': 'Signatários (CPF)' },
  waitingSince: { en: 'Waiting since', 'pt-BR': 'Aguardando desde' },
  failedPolls: { en: 'Polls without an answer', 'pt-BR': 'Consultas sem resposta' },

  history: { en: 'History', 'pt-BR': 'Histórico' },
  time: { en: 'Time', 'pt-BR': 'Hora' },
  status: { en: 'Status', 'pt-BR': 'Status' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },

  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  noActions: {
    en: 'A worker has the job. Nothing can be done with it until it ends.',
    'pt-BR': 'O trabalho está em processamento. Nada pode ser feito até ele terminar.',
  },
  retry: { en: 'Retry', 'pt-BR': 'Repetir' },
  retryHint: {
    en: 'A new job signs the same input. This one stays as it is.',
    'pt-BR': 'Um novo trabalho assina a mesma entrada. Este continua como está.',
  },
  cancel: { en: 'Cancel…', 'pt-BR': 'Cancelar…' },
  cancelExplained: {
    en: 'The job will not be signed. This cannot be undone; the input file stays where it is.',
    'pt-BR': 'O trabalho não será assinado. Isso não pode ser desfeito; o arquivo de entrada fica onde está.',
  },
  cancelReason: { en: 'Reason (optional)', 'pt-BR': 'Motivo (opcional)' },
  reasonHint: {
    en: (max: number) => `For the record. At most ${max} characters.`,
    'pt-BR': (max: number) => `Fica no registro. Até ${max} caracteres.`,
  },
  cancelNow: { en: 'Cancel this job', 'pt-BR': 'Cancelar este trabalho' },
  delete: { en: 'Delete…', 'pt-BR': 'Excluir…' },
  deleteExplained: {
    en: 'The job and its history are deleted for good, and a file of this name can be signed again. The files of the job stay until the cleanup.',
    'pt-BR':
      'O trabalho e o histórico são excluídos para sempre, e um arquivo com este nome poderá ser assinado de novo. Os arquivos do trabalho ficam até a limpeza.',
  },
  deleteNow: { en: 'Delete this job for good', 'pt-BR': 'Excluir este trabalho para sempre' },
  unfinished: {
    en: 'The job is not finished, so it cannot be deleted. Cancel it first, or wait until it ends.',
    'pt-BR': 'O trabalho não terminou, então não pode ser excluído. Cancele-o antes ou espere até terminar.',
  },
  unsettled: {
    en: 'The files of the job could not be put in their places yet, so it cannot be deleted now. Try again in some minutes.',
    'pt-BR':
      'Os arquivos do trabalho ainda não puderam ser movidos, então ele não pode ser excluído agora. Tente de novo em alguns minutos.',
  },
  retried: { en: 'This job retries the failed one.', 'pt-BR': 'Este trabalho repete o que falhou.' },
  canceled: { en: 'The job was canceled.', 'pt-BR': 'O trabalho foi cancelado.' },
});
