/** What histories, events, checks and profiles record, in every language of the pages. Values are in braces. */
export const rows = {
  'of-file': { en: '{file}: {text}', 'pt-BR': '{file}: {text}' },
  both: { en: '{first} {second}', 'pt-BR': '{first} {second}' },

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

  'check.certificate-expired': {
    en: 'Its certificate expired on {date}. Give it a new key.',
    'pt-BR': 'O certificado venceu em {date}. Dê ao perfil uma nova chave.',
  },
  'check.certificate-not-yet-valid': {
    en: 'Its certificate is not valid before {date}. Wait, or give it another key.',
    'pt-BR': 'O certificado só vale a partir de {date}. Espere ou dê ao perfil outra chave.',
  },
  'check.certificate-expires-tomorrow': {
    en: 'Its certificate expires on {date}, in 1 day. Give it a new key before.',
    'pt-BR': 'O certificado vence em {date}, em 1 dia. Dê ao perfil uma nova chave antes.',
  },
  'check.certificate-expires-soon': {
    en: 'Its certificate expires on {date}, in {days} days. Give it a new key before.',
    'pt-BR': 'O certificado vence em {date}, em {days} dias. Dê ao perfil uma nova chave antes.',
  },
  'check.keyless': {
    en: 'The approvers sign its files with their own certificates. It needs no key.',
    'pt-BR': 'Os aprovadores assinam os arquivos com os próprios certificados. Não precisa de chave.',
  },
  'check.store-answers': {
    en: 'The operational store answers.',
    'pt-BR': 'O armazenamento responde.',
  },
  'check.store-missed-at-start': {
    en: 'The operational store did not answer when this instance started. Restart it.',
    'pt-BR': 'O armazenamento não respondeu quando esta instância iniciou. Reinicie-a.',
  },
  'check.folder-running': {
    en: 'A profile signs its files, and no scan fails.',
    'pt-BR': 'Um perfil assina os arquivos, e nenhuma varredura falha.',
  },
  'check.folder-stopped': { en: 'Its last scan failed.', 'pt-BR': 'A última varredura falhou.' },
  'check.folder-unassigned': {
    en: 'No profile signs its files. Nothing scans it without one.',
    'pt-BR': 'Nenhum perfil assina os arquivos. Sem um, nada a varre.',
  },
  'check.folder-not-configured': {
    en: 'Storage:Inputs has no folder {folder}.',
    'pt-BR': 'Storage:Inputs não tem a pasta {folder}.',
  },
  'check.share-absent': {
    en: 'It is absent: there is no share {share}.',
    'pt-BR': 'Está ausente: não existe o compartilhamento {share}.',
  },
  'check.share-answers': { en: 'The share answers.', 'pt-BR': 'O compartilhamento responde.' },
  'check.share-held': {
    en: 'This installation holds it; its instance {instance} claimed it at {time}.',
    'pt-BR': 'Esta instalação o detém; a instância {instance} o assumiu em {time}.',
  },
  'check.no-secret': {
    en: 'Signer:WebhookSecret is not set: no notification is taken.',
    'pt-BR': 'Signer:WebhookSecret não está definido: nenhuma notificação é recebida.',
  },
  'check.no-notification': {
    en: 'Signer:WebhookSecret is set. No authenticated notification has arrived.',
    'pt-BR': 'Signer:WebhookSecret está definido. Nenhuma notificação autenticada chegou.',
  },
  'check.last-notification': {
    en: 'Signer:WebhookSecret is set. The last authenticated notification arrived at {time}, or less than a minute later.',
    'pt-BR':
      'Signer:WebhookSecret está definido. A última notificação autenticada chegou em {time}, ou menos de um minuto depois.',
  },
  'check.no-pass': { en: 'No pass has been made.', 'pt-BR': 'Nenhuma verificação foi feita.' },
  'check.pass-clean': { en: 'The last pass was clean.', 'pt-BR': 'A última verificação não teve erros.' },
  'check.pass-failed': {
    en: 'The last pass failed: {error}',
    'pt-BR': 'A última verificação falhou: {error}',
  },
  'check.passes-failed': {
    en: 'The last {count} passes failed: {error}',
    'pt-BR': 'As últimas {count} verificações falharam: {error}',
  },
  'check.log-says': { en: 'the log says why', 'pt-BR': 'o log diz por quê' },
  'check.no-heartbeat': {
    en: 'The instance {name} has sent no heartbeat yet.',
    'pt-BR': 'A instância {name} ainda não enviou sinal de vida.',
  },
  'check.last-heartbeat': {
    en: 'The last heartbeat of the instance {name} was at {time}.',
    'pt-BR': 'O último sinal de vida da instância {name} foi em {time}.',
  },
  'check.stood-down': {
    en: 'The instance {name} has stood down: its last heartbeat reached the store at {time}, more than {seconds} s ago. It claims no jobs, and another instance takes over those that it had. The log says why heartbeats fail; it resumes by itself when one succeeds.',
    'pt-BR':
      'A instância {name} foi suspensa: o último sinal de vida chegou ao armazenamento em {time}, há mais de {seconds} s. Ela não recebe trabalhos, e outra instância assume os que ela tinha. O log diz por que os sinais falham; ela volta sozinha quando um chegar.',
  },

  'degraded.profile': {
    en: 'Profile {name} is degraded. {reason}',
    'pt-BR': 'O perfil {name} não consegue assinar. {reason}',
  },
  'degraded.no-cpf': {
    en: 'Its certificate names no CPF, by which documents of the folder are found. Give it the key of a person.',
    'pt-BR':
      'O certificado não tem CPF, pelo qual os documentos da pasta são encontrados. Dê ao perfil a chave de uma pessoa.',
  },
  'degraded.no-service': {
    en: 'No external signature service is configured: set Signer:BaseAddress and Signer:ApiKey.',
    'pt-BR': 'Nenhuma plataforma de assinatura está configurada: defina Signer:BaseAddress e Signer:ApiKey.',
  },
  'degraded.no-key': {
    en: 'It has no key. Give it one: npm run admin -- profiles key {name} FILE.p12',
    'pt-BR':
      'Não tem chave. Importe uma nesta página, ou com npm run admin -- profiles key {name} ARQUIVO.p12',
  },
  'degraded.key-closed': {
    en: 'Its key does not open: {problem} Or give the key again.',
    'pt-BR': 'A chave não abre: {problem} Ou importe a chave de novo.',
  },
  'degraded.key-unfit': {
    en: 'Its key cannot sign: {problem}',
    'pt-BR': 'A chave não pode assinar: {problem}',
  },
  'degraded.recipient-unreadable': {
    en: 'The certificate that its outputs are encrypted for cannot be read. Give it again.',
    'pt-BR': 'O certificado para o qual as saídas são cifradas não pode ser lido. Informe-o de novo.',
  },
  'degraded.password-closed': {
    en: 'Its encryption password does not open: {problem} Or give the password again.',
    'pt-BR': 'A senha de cifragem não abre: {problem} Ou informe a senha de novo.',
  },
  'degraded.authorization-ended': {
    en: "The cloud certificate's authorization ended at {time}: authorize it again in the profile's page.",
    'pt-BR':
      'A autorização do certificado em nuvem terminou em {time}: autorize-o de novo na página do perfil.',
  },
  'degraded.no-hub': {
    en: 'No hub of cloud certificates is configured: set Hub:ApiKey.',
    'pt-BR': 'Nenhum hub de certificados em nuvem está configurado: defina Hub:ApiKey.',
  },
  'degraded.not-authorized': {
    en: "Its cloud certificate is not authorized yet: authorize it in the profile's page.",
    'pt-BR': 'O certificado em nuvem ainda não foi autorizado: autorize-o na página do perfil.',
  },
  'degraded.authorization-closed': {
    en: "The cloud certificate's authorization does not open: {problem} Or authorize it again in the profile's page.",
    'pt-BR':
      'A autorização do certificado em nuvem não abre: {problem} Ou autorize-o de novo na página do perfil.',
  },
  'degraded.cloud-unfit': {
    en: 'Its cloud certificate cannot sign: {problem}',
    'pt-BR': 'O certificado em nuvem não pode assinar: {problem}',
  },
  'degraded.folder-missing': {
    en: 'The external service has no folder {folder} that its key may read. Bind another one, or have it restored.',
    'pt-BR':
      'A plataforma de assinatura não tem a pasta {folder} que a chave dela possa ler. Escolha outra, ou peça que seja restaurada.',
  },
} as const;
