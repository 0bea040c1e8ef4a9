/** What operators and the service itself do, in events. Values are in braces. */
export const operationRows = {
  'event.jobs-cleared': {
    en: '{count} finished jobs were deleted.',
    'pt-BR': '{count} trabalhos terminados foram excluídos.',
  },
  'bulk.retry': { en: 'A retry', 'pt-BR': 'Uma repetição' },
  'bulk.cancel': { en: 'A cancellation', 'pt-BR': 'Um cancelamento' },
  'bulk.delete': { en: 'A deletion', 'pt-BR': 'Uma exclusão' },
  'bulk.started': {
    en: '{kind} of {count} jobs started ({id}).',
    'pt-BR': '{kind} de {count} trabalhos começou ({id}).',
  },
  'bulk.stopped': {
    en: '{kind} of {count} jobs was stopped after {done} ({id}).',
    'pt-BR': '{kind} de {count} trabalhos parou depois de {done} ({id}).',
  },
  'bulk.ended': {
    en: '{kind} of many jobs ended ({id}): {done} done, {refused} refused, {skipped} no longer matched.',
    'pt-BR':
      '{kind} de muitos trabalhos terminou ({id}): {done} feitos, {refused} recusados, {skipped} já não correspondiam.',
  },
  'cleanup.deleted': {
    en: '{jobs} jobs, {outputs} files of output/, {errors} files of error/ and {events} events were deleted.',
    'pt-BR':
      'Foram excluídos {jobs} trabalhos, {outputs} arquivos de output/, {errors} arquivos de error/ e {events} eventos.',
  },
  'cleanup.leftovers': {
    en: '{count} files that belong to no job were deleted.',
    'pt-BR': 'Foram excluídos {count} arquivos que não são de nenhum trabalho.',
  },
  'cleanup.missing': {
    en: '{count} outputs were not there any more.',
    'pt-BR': '{count} saídas já não estavam lá.',
  },
  'cleanup.errors': {
    en: '{count} items could not be handled: the log says why.',
    'pt-BR': '{count} itens não puderam ser tratados: o log diz por quê.',
  },
  'pipeline.paused': { en: 'The pipeline was paused.', 'pt-BR': 'O processamento foi pausado.' },
  'pipeline.paused-because': {
    en: 'The pipeline was paused: {reason}',
    'pt-BR': 'O processamento foi pausado: {reason}',
  },
  'pipeline.resumed': { en: 'The pipeline was resumed.', 'pt-BR': 'O processamento foi retomado.' },
  'pipeline.resumed-because': {
    en: 'The pipeline was resumed: {reason}',
    'pt-BR': 'O processamento foi retomado: {reason}',
  },
  'profile.created': {
    en: 'Profile {name} was created: {fields}.',
    'pt-BR': 'O perfil {name} foi criado: {fields}.',
  },
  'profile.changed': {
    en: 'Profile {name} was changed: {fields}.',
    'pt-BR': 'O perfil {name} foi alterado: {fields}.',
  },
  'profile.removed': { en: 'Profile {name} was removed.', 'pt-BR': 'O perfil {name} foi removido.' },
  'profile.authorization-ended': {
    en: "The hub no longer accepts the authorization of the cloud certificate of profile {name}. Authorize it again in the profile's page.",
    'pt-BR':
      'O hub já não aceita a autorização do certificado em nuvem do perfil {name}. Autorize-o de novo na página do perfil.',
  },
  'folder.unassigned': {
    en: 'The profile {profile} no longer signs the files of the folder {folder}. Nothing scans it.',
    'pt-BR': 'O perfil {profile} já não assina os arquivos da pasta {folder}. Nada a varre.',
  },
  'folder.assigned': {
    en: 'The profile {profile} signs the files of the folder {folder}.',
    'pt-BR': 'O perfil {profile} assina os arquivos da pasta {folder}.',
  },
  'folder.reassigned': {
    en: 'The profile {profile} signs the files of the folder {folder}, in the place of {before}.',
    'pt-BR': 'O perfil {profile} assina os arquivos da pasta {folder}, no lugar de {before}.',
  },
  'second-factor.enrolled': {
    en: '{address} enrolled a second factor.',
    'pt-BR': '{address} cadastrou um segundo fator.',
  },
  'second-factor.reset': {
    en: 'The second factor of {address} was reset.',
    'pt-BR': 'O segundo fator de {address} foi removido.',
  },
  'second-factor.locked': {
    en: '{address}: {count} wrong codes in a row. Codes are refused until {time}.',
    'pt-BR': '{address}: {count} códigos errados seguidos. Códigos são recusados até {time}.',
  },
  'mail.failed': {
    en: '{address} was not notified by mail. {problem}',
    'pt-BR': '{address} não foi avisado por e-mail. {problem}',
  },
  'backup.completed': {
    en: 'The backup {id} is complete: {items} items, {bytes} bytes.',
    'pt-BR': 'O backup {id} está completo: {items} itens, {bytes} bytes.',
  },
  'backup.failed': { en: 'The backup {id} failed: {reason}', 'pt-BR': 'O backup {id} falhou: {reason}' },
  'backup.canceled': { en: 'The backup {id} was canceled.', 'pt-BR': 'O backup {id} foi cancelado.' },
  'backup.not-pruned': {
    en: 'The backup {id} is complete, and older ones could not be deleted: {reason}',
    'pt-BR': 'O backup {id} está completo, e os mais antigos não puderam ser excluídos: {reason}',
  },
  'instance.stood-down': {
    en: 'The instance {name} stood down at {time}: none of its heartbeats had reached the store since {since}.',
    'pt-BR':
      'A instância {name} foi suspensa em {time}: nenhum sinal de vida dela chegou ao armazenamento desde {since}.',
  },
  'instance.resumed': {
    en: 'The instance {name} claims jobs again.',
    'pt-BR': 'A instância {name} volta a receber trabalhos.',
  },
  'instance.stopped': {
    en: 'The service was stopped on the instance {name}.',
    'pt-BR': 'O serviço foi parado na instância {name}.',
  },
  'sweep.failed': {
    en: 'A sweep of the signer folders failed. {error}',
    'pt-BR': 'Uma verificação das pastas de assinatura falhou. {error}',
  },
  'sweep.failed-with-others': {
    en: 'A sweep of the signer folders failed. {error} {count} more folders failed.',
    'pt-BR': 'Uma verificação das pastas de assinatura falhou. {error} Mais {count} pastas falharam.',
  },
} as const;
