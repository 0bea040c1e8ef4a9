/** The sentences of the error table for pages in Portuguese. A code without one does not compile. */
export const portuguese = {
  'job.not-found': 'Não existe trabalho com este identificador. Ele pode ter sido excluído.',
  'job.not-queued': 'O trabalho já não pode ser cancelado: está em processamento ou terminou.',
  'job.race-lost': 'O trabalho foi alterado no mesmo momento. Veja-o de novo antes de decidir.',
  'job.not-failed': 'Só um trabalho que falhou pode ser repetido. Este já tem outro status.',
  'job.rejected-not-retriable':
    'Um aprovador rejeitou este arquivo. Ele não é assinado de novo: envie um arquivo corrigido.',
  'job.input-missing': 'O arquivo de entrada não existe mais. Envie-o de novo.',
  'job.output-unavailable':
    'Um trabalho não tem arquivo assinado: não está concluído ou assinou um documento da plataforma.',
  'job.output-gone': 'O trabalho está concluído, mas o arquivo assinado já não está na pasta de saída.',
  'job.archive-empty': 'Nenhum trabalho está selecionado. Indique pelo menos um.',
  'job.archive-too-large': 'Um arquivo ZIP tem os arquivos de até 50 trabalhos. Selecione menos.',
  'job.already-processing':
    'Outro trabalho em andamento está com este arquivo. Espere até ele terminar e tente de novo.',
  'file.already-processed':
    'Um trabalho concluído ou em andamento já tem este nome de arquivo. Exclua esse trabalho ou renomeie o arquivo.',
  'job.path-too-long': 'O caminho do arquivo tem mais de 850 caracteres. Encurte o nome.',
  'job.input-changed':
    'O arquivo enviado foi substituído depois que o trabalho foi criado. Nada foi assinado: envie-o de novo.',
  'job.input-held':
    'Outro processo estava usando o arquivo de entrada; nada foi assinado. Repita quando ele terminar.',
  'job.input-diverged':
    'O arquivo de entrada foi reescrito durante o trabalho. O arquivo assinado tem o conteúdo anterior; o novo ficou no lugar.',
  'job.interrupted': 'O serviço parou enquanto processava o trabalho. Confira o arquivo de entrada e repita.',
  'job.certificate-invalid':
    'O certificado do perfil não é válido. Importe um certificado válido no perfil e repita.',
  'job.signing-failed': 'Não foi possível assinar o arquivo.',
  'job.verification-failed': 'O arquivo assinado não passou na verificação e não foi liberado.',
  'bulk.not-found':
    'Não existe ação em muitos trabalhos com este identificador. Elas são mantidas por 30 dias.',
  'bulk.not-running': 'A ação já terminou. Não há nada para parar.',
  'bulk.nothing-matches':
    'Nenhum trabalho corresponde, ou nenhum que esta ação aceita. Nada foi alterado: veja os filtros de novo.',
  'bulk.files-unsettled':
    'Os arquivos do trabalho ainda não puderam ser movidos. Tente de novo em alguns minutos.',
  'upload.disabled': 'O envio está desligado pela configuração Upload:Enabled.',
  'upload.empty': 'O arquivo não foi enviado ou está vazio.',
  'upload.too-large': 'O arquivo é maior do que o serviço recebe.',
  'upload.invalid-name': 'O arquivo não tem nome: nenhum foi dado, ou só pontos e espaços. Renomeie-o.',
  'upload.format-unsupported': 'Este formato de assinatura não existe. É Pades, Cades ou Xades.',
  'upload.extension-unsupported': 'A extensão do arquivo não é aceita na interface compacta.',
  'validation.reason-too-long': 'O motivo é longo demais. Nada foi alterado: encurte-o.',
  'validation.filter-invalid': 'Um valor do endereço não é aceito.',
  'auth.misconfigured':
    'Ninguém pode entrar: o serviço não tem chave do operador. Quem o administra configura Auth:ApiKey.',
  'auth.invalid-credentials': 'A chave está errada ou a sessão terminou.',
  'auth.cross-origin':
    'Outro site enviou isto em seu nome. Nada foi alterado: faça de novo em uma página do serviço.',
  'folder.not-found': 'Não existe pasta de entrada com este nome.',
  'profile.not-found': 'Não existe perfil com este nome. Ele pode ter sido removido.',
  'profile.disabled': 'O perfil está desativado e não recebe novos trabalhos. Ative-o primeiro.',
  'profile.degraded':
    'O perfil não consegue assinar: o certificado ou os segredos não abrem. Veja o perfil e repita.',
  'profile.takes-no-files': 'O perfil assina documentos de uma pasta de assinatura e não recebe arquivos.',
  'profile.key-unavailable': 'Esta instância não tem a chave do perfil. Importe a chave no perfil e repita.',
  'signer-folder.no-holder-action': 'O documento não pede nada do titular do certificado.',
  'signer-folder.signature-refused': 'A plataforma de assinatura recusou a assinatura.',
  'signer-folder.key-unavailable': 'A chave do perfil não assinou. O documento continua intacto.',
  'signer-folder.action-url-malformed': 'O endereço da ação não tem a chave do documento ou o ticket.',
  'signer-folder.profile-changed': 'O perfil já não assina documentos de uma pasta.',
  'signer-folder.interrupted':
    'A execução terminou depois do uso da chave, sem resposta certa. Veja o documento na plataforma antes de repetir.',
  'signer-folder.signature-failed': 'O documento da pasta não foi assinado.',
  'signer-notification.not-configured': 'Nenhum segredo de notificação está configurado.',
  'signer-notification.unauthorized': 'O token está ausente ou errado.',
  'signer-notification.unavailable': 'A verificação não pode ser feita agora. Repita.',
  'pipeline.race-lost':
    'Outra pessoa pausou ou retomou o processamento no mesmo momento. Veja o estado de novo.',
  'signer.document-rejected':
    'A plataforma de assinatura informa que o documento foi recusado, expirou ou foi cancelado.',
  'signer.timeout': 'Os signatários demoraram mais do que o serviço espera.',
  'signer.unreachable': 'A plataforma de assinatura não respondeu. Repita quando ela voltar.',
  'cnab240.invalid': 'O arquivo não é uma remessa CNAB240 válida.',
  'cnab240.payment-date-passed': 'Uma data de pagamento do arquivo já passou. Envie um arquivo corrigido.',
  'approval.not-required': 'O trabalho nunca esperou por aprovação.',
  'approval.not-pending': 'Este arquivo já não espera por uma decisão. Nada foi registrado.',
  'approval.unknown-approver': 'Este endereço não pode decidir sobre este arquivo. Nada foi registrado.',
  'approval.already-decided': 'Você já decidiu sobre este arquivo. A decisão é definitiva.',
  'approval.unknown-decision': 'Escolha se você aprova ou rejeita. Nada foi registrado.',
  'approval.signature-required':
    'Para aprovar este arquivo você o assina com seu certificado. Abra-o no portal de aprovações e escolha como assinar.',
  'approval.second-factor-required':
    'As decisões são tomadas no portal de aprovações, com um código do seu segundo fator. Nada foi registrado.',
  'approval.link-unknown': 'Este link não funciona: está incompleto ou foi substituído.',
  'approval.job-incomplete':
    'Não é possível decidir sobre este arquivo: a regra dele está incompleta. Avise quem administra o serviço.',
  'approval.rejected': 'Um aprovador rejeitou o arquivo. Ele não é assinado.',
  'approval.content-changed':
    'O arquivo mudou entre a aprovação e a assinatura. Nada foi assinado: descubra quem o alterou.',
  'approval.content-unmeasured': 'O trabalho tem uma regra de aprovação, mas não o resumo do conteúdo.',
  'approval.signer-set-unsupported': 'Este conjunto de assinaturas não pode ser gerado.',
  'approval.signatures-missing': 'Faltam assinaturas de aprovadores, então o arquivo não foi gerado.',
  'approval.certificate-invalid':
    'Este certificado não pode assinar: venceu, foi revogado ou é de uma autoridade que não é aceita aqui. Escolha outro.',
  'approval.certificate-without-cpf':
    'Este certificado não é de uma pessoa: não tem o CPF do titular. Escolha o seu certificado (e-CPF).',
  'approval.certificate-cpf-mismatch':
    'Este certificado é de outra pessoa: o CPF não é o deste aprovador. Escolha o seu próprio certificado.',
  'approval.signature-invalid':
    'A assinatura não corresponde ao arquivo e ao certificado. Nada foi registrado. Tente de novo.',
  'approval.signature-conflict':
    'Você já decidiu sobre este arquivo, por exemplo em outra janela. Esta assinatura não foi registrada.',
  'approval.second-factor-invalid-code':
    'O código está errado ou já foi usado. Espere pelo próximo que o aplicativo mostrar. Verifique se o relógio do celular está certo.',
  'approval.second-factor-locked-out':
    'Códigos errados demais. Espere cinco minutos e tente de novo: até lá, códigos certos também são recusados.',
  'backup.disabled':
    'Os backups estão desligados, ou o armazenamento não exporta a tabela. Defina Backup:Enabled como true em todas as instâncias e ative a recuperação pontual (point-in-time recovery) da tabela.',
  'backup.already-running': 'Já existe um backup em andamento. Espere ou cancele-o.',
  'backup.not-running': 'Nenhum backup está em andamento.',
  'branding.customer-logo-not-available': 'Nenhum logotipo do cliente está configurado.',
  'culture.not-supported': 'culture deve ser en-US ou pt-BR.',
  'rate-limited': 'Pedidos demais em pouco tempo. Espere um minuto e tente de novo.',
  'store.unavailable':
    'O armazenamento não responde a tempo. Pode ter sido feito: espere alguns segundos, confira e tente de novo.',
  internal: 'Não foi possível concluir o pedido. Veja o que foi feito antes de tentar de novo.',

  'request.invalid': 'O pedido está malformado.',
  'request.too-large': 'O que foi enviado passa do limite.',
  'request.media-type': 'O que foi enviado não está em um formato que pode ser lido.',
  'route.not-found': 'Não existe página nem operação neste endereço.',
};
