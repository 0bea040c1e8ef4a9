/** What happens to a job, in its history and in events. Values are in braces. */
export const jobRows = {
  'job.uploaded': { en: 'Uploaded.', 'pt-BR': 'Enviado.' },
  'job.uploaded-by-link': { en: 'Uploaded by a link.', 'pt-BR': 'Enviado por um link.' },
  'job.found-in-folder': { en: 'Found in the folder {folder}.', 'pt-BR': 'Encontrado na pasta {folder}.' },
  'job.retry-of': { en: 'Retry of job {id}.', 'pt-BR': 'Repetição do trabalho {id}.' },
  'job.refused': { en: 'Refused.', 'pt-BR': 'Recusado.' },
  'job.picked-up': { en: 'Picked up by {instance}.', 'pt-BR': 'Iniciado por {instance}.' },
  'event.picked-up': { en: 'picked up by {instance}.', 'pt-BR': 'iniciado por {instance}.' },
  'job.signed': { en: 'Signed.', 'pt-BR': 'Assinado.' },
  'job.released': { en: 'Verified and released.', 'pt-BR': 'Verificado e liberado.' },
  'job.released-unverified': {
    en: 'Released. The profile skips verification.',
    'pt-BR': 'Liberado. O perfil dispensa a verificação.',
  },
  'event.output-written': { en: '{name} is in output/.', 'pt-BR': '{name} está em output/.' },
  'job.canceled-by': { en: 'Canceled by {by}.', 'pt-BR': 'Cancelado por {by}.' },
  'job.canceled-because': { en: 'Canceled by {by}: {reason}', 'pt-BR': 'Cancelado por {by}: {reason}' },
  'job.deleted-by': { en: 'Deleted by {by}.', 'pt-BR': 'Excluído por {by}.' },
  'job.waits-for-approvers': {
    en: 'Waits for {quorum} of {count} approvers.',
    'pt-BR': 'Aguarda {quorum} de {count} aprovadores.',
  },
  'job.approved-by': {
    en: 'Approved by {name}: {approved} of {required}.',
    'pt-BR': 'Aprovado por {name}: {approved} de {required}.',
  },
  'job.rejected-by': { en: 'Rejected by {name}.', 'pt-BR': 'Rejeitado por {name}.' },
  'job.rejected-because': { en: 'Rejected by {name}: {reason}', 'pt-BR': 'Rejeitado por {name}: {reason}' },
  'event.approved': { en: 'approved by {name}.', 'pt-BR': 'aprovado por {name}.' },
  'event.approved-because': { en: 'approved by {name}: {reason}', 'pt-BR': 'aprovado por {name}: {reason}' },
  'event.rejected': { en: 'rejected by {name}.', 'pt-BR': 'rejeitado por {name}.' },
  'event.rejected-because': {
    en: 'rejected by {name}: {reason}',
    'pt-BR': 'rejeitado por {name}: {reason}',
  },
  'job.approval-expired': {
    en: 'The approval window expired at {time}.',
    'pt-BR': 'O prazo de aprovação terminou em {time}.',
  },
  'job.not-returned': {
    en: 'The file is not in output/ as {name}: another file is there, or the staged copy was changed. The copy is in error/, and the input stays.',
    'pt-BR':
      'O arquivo não está em output/ como {name}: há outro arquivo lá, ou a cópia foi alterada. A cópia está em error/, e a entrada fica onde está.',
  },
  'job.payment-date-passed': {
    en: 'The earliest payment date, {date}, is in the past.',
    'pt-BR': 'A primeira data de pagamento, {date}, já passou.',
  },
  'job.lot-sum-differs': {
    en: 'The trailer of lot {lot} states a sum of {stated}, and its payments add up to {found}.',
    'pt-BR': 'O trailer do lote {lot} informa a soma de {stated}, e os pagamentos dele somam {found}.',
  },
  'job.lot-sums-differ': {
    en: '{count} lots state another sum than that of their payments. The first: {first}',
    'pt-BR': '{count} lotes informam uma soma que não é a dos pagamentos. O primeiro: {first}',
  },
  'job.lot-sum-unreadable': {
    en: 'The trailer of lot {lot} has no sum that can be read, and its payments add up to {found}.',
    'pt-BR': 'O trailer do lote {lot} não tem uma soma legível, e os pagamentos dele somam {found}.',
  },
  'job.dispatched': {
    en: 'Handed to the external service as document {id}.',
    'pt-BR': 'Entregue à plataforma de assinatura como documento {id}.',
  },
  'job.document-canceled': {
    en: 'The document was canceled at the external service.',
    'pt-BR': 'O documento foi cancelado na plataforma de assinatura.',
  },
  'job.document-not-canceled': {
    en: 'The document was not canceled at the external service: {problem}',
    'pt-BR': 'O documento não foi cancelado na plataforma de assinatura: {problem}',
  },
  'job.signed-by-all': {
    en: 'Signed by all at the external service.',
    'pt-BR': 'Assinado por todos na plataforma de assinatura.',
  },
  'job.signature-taken': {
    en: 'The external service took the signature.',
    'pt-BR': 'A plataforma de assinatura recebeu a assinatura.',
  },
  'job.not-read-back': {
    en: 'Signed at the external service. It was not read back.',
    'pt-BR': 'Assinado na plataforma de assinatura. Não foi lido de volta.',
  },
  'job.moved-on': {
    en: 'The document no longer waits for the certificate holder. Nothing was signed here.',
    'pt-BR': 'O documento já não espera pelo titular do certificado. Nada foi assinado aqui.',
  },
  'job.returned': {
    en: 'Its worker is gone. It never reached the key, so it returns to the queue.',
    'pt-BR': 'O processo parou antes de usar a chave; o trabalho volta para a fila.',
  },
  'event.taken-over': {
    en: 'the instance {instance} took the job over from {from}, which sends no heartbeats.',
    'pt-BR': 'a instância {instance} assumiu o trabalho de {from}, que não envia sinais de vida.',
  },
} as const;
