import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of batches of degrees. */
export const linesWords = translations({
  title: { en: 'Degrees by a file of lines', 'pt-BR': 'Diplomas por arquivo de linhas' },
  intro: {
    en: 'A table as CSV, whose first line names the columns, or lines of JSON as the API takes them. Each line becomes a degree, once; one that is not right stops no other.',
    'pt-BR':
      'Uma tabela em CSV, cuja primeira linha nomeia as colunas, ou linhas de JSON como as da API. Cada linha vira um diploma, uma só vez; uma que não está certa não para as outras.',
  },
  columns: {
    en: 'Columns: nome, nome social, cpf, curso, histórico (Partial, Final or SecondCopyBornPhysical).',
    'pt-BR': 'Colunas: nome, nome social, cpf, curso, histórico (Partial, Final ou SecondCopyBornPhysical).',
  },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  fileHint: {
    en: 'Up to 1 MB, some 6,000 lines. For a larger one use the API.',
    'pt-BR': 'Até 1 MB, umas 6.000 linhas. Para um maior, use a API.',
  },
  institute: {
    en: 'Institute of the lines that name none',
    'pt-BR': 'Instituição das linhas que não nomeiam uma',
  },
  send: { en: 'Create the degrees', 'pt-BR': 'Criar os diplomas' },
  noFile: { en: 'Choose a file.', 'pt-BR': 'Escolha um arquivo.' },
  earlier: { en: 'Files so far', 'pt-BR': 'Arquivos até agora' },
  none: { en: 'No file yet.', 'pt-BR': 'Nenhum arquivo ainda.' },
  batch: { en: 'File of lines', 'pt-BR': 'Arquivo de linhas' },
  sent: { en: 'Sent', 'pt-BR': 'Enviado' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  lines: { en: 'Lines', 'pt-BR': 'Linhas' },
  created: { en: 'Degrees created', 'pt-BR': 'Diplomas criados' },
  failed: { en: 'Lines with errors', 'pt-BR': 'Linhas com erro' },
  progress: { en: 'Progress', 'pt-BR': 'Andamento' },
  errors: { en: 'Lines to correct', 'pt-BR': 'Linhas a corrigir' },
  errorsHint: {
    en: 'Correct these lines and send them alone, as another file: the others are created.',
    'pt-BR': 'Corrija estas linhas e envie só elas, em outro arquivo: as outras já foram criadas.',
  },
  line: { en: 'Line', 'pt-BR': 'Linha' },
  what: { en: 'What is wrong', 'pt-BR': 'O que está errado' },
  degrees: { en: 'See the degrees', 'pt-BR': 'Ver os diplomas' },
  doneSent: {
    en: 'The file is here. This page shows how far it is; you may leave it.',
    'pt-BR': 'O arquivo chegou. Esta página mostra o andamento; você pode sair dela.',
  },
  Created: { en: 'Waiting', 'pt-BR': 'Aguardando' },
  Running: { en: 'In progress', 'pt-BR': 'Em andamento' },
  Finished: { en: 'Finished', 'pt-BR': 'Terminado' },
});
