import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';

/** Refusals that a form of the dashboard can meet, in the words of an operator: what happened, and what to do. */
const refusalWords = translations({
  'auth.cross-origin': {
    en: 'Another site sent this form in your name. Nothing was changed.',
    'pt-BR': 'Outro site enviou este formulário em seu nome. Nada foi alterado.',
  },
  'route.not-found': {
    en: 'There is no page at this address.',
    'pt-BR': 'Não existe página neste endereço.',
  },
  'job.not-found': {
    en: 'There is no job with this id. It may have been deleted.',
    'pt-BR': 'Não existe trabalho com este identificador. Ele pode ter sido excluído.',
  },
  'job.not-queued': {
    en: 'The job can no longer be canceled: a worker has it, or it has ended.',
    'pt-BR': 'O trabalho já não pode ser cancelado: está em processamento ou terminou.',
  },
  'job.not-failed': {
    en: 'Only a failed job can be retried. This one has another status by now.',
    'pt-BR': 'Só um trabalho que falhou pode ser repetido. Este já tem outro status.',
  },
  'job.race-lost': {
    en: 'A worker took the job at the same moment. Look at it again before you decide.',
    'pt-BR': 'O trabalho foi alterado no mesmo momento. Veja-o de novo antes de decidir.',
  },
  'job.rejected-not-retriable': {
    en: 'An approver rejected this file. It is not signed again: send a corrected file.',
    'pt-BR': 'Um aprovador rejeitou este arquivo. Ele não é assinado de novo: envie um arquivo corrigido.',
  },
  'job.input-missing': {
    en: 'The input file is gone, so the job cannot be retried. Send the file again.',
    'pt-BR': 'O arquivo de entrada não existe mais, então não dá para repetir. Envie o arquivo de novo.',
  },
  'job.already-processing': {
    en: 'Another job has this file now. Wait until it ends.',
    'pt-BR': 'Outro trabalho está com este arquivo. Espere até ele terminar.',
  },
  'profile.disabled': {
    en: 'The profile is disabled and takes no new work. Enable it first.',
    'pt-BR': 'O perfil está desativado e não recebe novos trabalhos. Ative-o primeiro.',
  },
  'profile.takes-no-files': {
    en: 'The profile signs documents of a signer folder and takes no files.',
    'pt-BR': 'O perfil assina documentos de uma pasta de assinatura e não recebe arquivos.',
  },
  'pipeline.race-lost': {
    en: 'Somebody else paused or resumed the pipeline at the same moment. Look at its state again.',
    'pt-BR': 'Outra pessoa pausou ou retomou o processamento no mesmo momento. Veja o estado de novo.',
  },
  'validation.reason-too-long': {
    en: 'The reason is too long. Nothing was changed: go back and shorten it.',
    'pt-BR': 'O motivo é longo demais. Nada foi alterado: volte e encurte-o.',
  },
  'profile.not-found': {
    en: 'There is no profile of this name. It may have been removed.',
    'pt-BR': 'Não existe perfil com este nome. Ele pode ter sido removido.',
  },
  'folder.not-found': {
    en: 'There is no input folder of this name.',
    'pt-BR': 'Não existe pasta de entrada com este nome.',
  },
  'backup.disabled': {
    en: 'Backups are switched off. Set Backup:Enabled to true in every instance.',
    'pt-BR': 'Os backups estão desligados. Defina Backup:Enabled como true em todas as instâncias.',
  },
  'backup.already-running': {
    en: 'A backup is running already. Wait for it, or cancel it.',
    'pt-BR': 'Já existe um backup em andamento. Espere ou cancele-o.',
  },
  'backup.not-running': {
    en: 'No backup is running.',
    'pt-BR': 'Nenhum backup está em andamento.',
  },
  'store.unavailable': {
    en: 'The store does not answer at the moment. Wait a minute, look again, and repeat what you did.',
    'pt-BR': 'O armazenamento não responde no momento. Espere um minuto, veja de novo e repita a ação.',
  },
  'job.archive-empty': {
    en: 'No job is selected. Check the boxes of some jobs first.',
    'pt-BR': 'Nenhum trabalho está selecionado. Marque alguns primeiro.',
  },
  'job.archive-too-large': {
    en: 'A ZIP file holds the files of at most 50 jobs. Select fewer.',
    'pt-BR': 'Um arquivo ZIP tem os arquivos de até 50 trabalhos. Selecione menos.',
  },
  'job.output-unavailable': {
    en: 'Not every selected job has a signed file. Select completed jobs only; one that signed a document of the platform has none.',
    'pt-BR':
      'Nem todo trabalho selecionado tem arquivo assinado. Selecione só os concluídos; os que assinaram um documento da plataforma não têm.',
  },
  'job.output-gone': {
    en: 'The signed files have left the output folder.',
    'pt-BR': 'Os arquivos assinados já não estão na pasta de saída.',
  },
  'upload.disabled': {
    en: 'Uploads are switched off by the setting Upload:Enabled.',
    'pt-BR': 'O envio está desligado pela configuração Upload:Enabled.',
  },
  'upload.empty': {
    en: 'The file is empty.',
    'pt-BR': 'O arquivo está vazio.',
  },
  'upload.invalid-name': {
    en: 'The file has no name that can be used. Rename it.',
    'pt-BR': 'O arquivo não tem um nome que possa ser usado. Renomeie-o.',
  },
  'upload.format-unsupported': {
    en: 'This format of signature does not exist. Choose another one.',
    'pt-BR': 'Este formato de assinatura não existe. Escolha outro.',
  },
  'job.path-too-long': {
    en: 'The name of the file is too long. Rename it.',
    'pt-BR': 'O nome do arquivo é longo demais. Renomeie-o.',
  },
  'file.already-processed': {
    en: 'A completed or active job has this file name already. Delete that job, or rename the file.',
    'pt-BR':
      'Um trabalho concluído ou em andamento já tem este nome de arquivo. Exclua esse trabalho ou renomeie o arquivo.',
  },
  'rate-limited': {
    en: 'Too many actions in a minute. Wait a little and try again.',
    'pt-BR': 'Ações demais em um minuto. Espere um pouco e tente de novo.',
  },
});

/** A refusal for an operator: in those words, or in the sentence of the error table. */
export function refusalText(
  language: Language,
  { code, message }: Pick<Refusal, 'code' | 'message'>,
): string {
  const known: Readonly<Record<string, string>> = refusalWords(language);
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? message;
}
