import { translations } from '../../shared/ui/translations.ts';

export const siteWords = translations({
  title: { en: 'Documentation', 'pt-BR': 'Documentação' },
  lead: {
    en: 'Everything about sending, signing, verifying and operating, in the version that runs here.',
    'pt-BR': 'Tudo sobre enviar, assinar, verificar e operar, na versão que roda aqui.',
  },
  contents: { en: 'Contents', 'pt-BR': 'Conteúdo' },
  onThisPage: { en: 'On this page', 'pt-BR': 'Nesta página' },
  search: { en: 'Search the documentation', 'pt-BR': 'Pesquisar na documentação' },
  find: { en: 'Search', 'pt-BR': 'Pesquisar' },
  results: {
    en: (count: number, query: string) =>
      count === 0
        ? `Nothing about “${query}”`
        : `${count === 1 ? '1 place' : `${count} places`} about “${query}”`,
    'pt-BR': (count: number, query: string) =>
      count === 0
        ? `Nada sobre “${query}”`
        : `${count === 1 ? '1 trecho' : `${count} trechos`} sobre “${query}”`,
  },
  noResults: {
    en: 'Try fewer or shorter words: a section must have all of them.',
    'pt-BR': 'Tente menos palavras, ou palavras mais curtas: um trecho precisa ter todas elas.',
  },
  typeWords: {
    en: 'Type a word or two: the name of a setting, an error code, an operation.',
    'pt-BR': 'Digite uma ou duas palavras: o nome de uma configuração, um código de erro, uma operação.',
  },
  notTranslated: {
    en: '',
    'pt-BR': 'Esta página ainda não tem tradução e está em inglês.',
  },
  table: { en: 'Table', 'pt-BR': 'Tabela' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  copy: { en: 'Copy', 'pt-BR': 'Copiar' },
  copied: { en: 'Copied', 'pt-BR': 'Copiado' },
  file: { en: 'A file of the repository', 'pt-BR': 'Um arquivo do repositório' },
  folder: { en: 'A folder of the repository', 'pt-BR': 'Uma pasta do repositório' },
  missing: { en: 'No page is at this address', 'pt-BR': 'Não há página neste endereço' },
  missingHint: {
    en: 'It may have another name in this version. Search for it, or look in the contents.',
    'pt-BR': 'Ela pode ter outro nome nesta versão. Pesquise, ou procure no conteúdo.',
  },
  home: { en: 'Home page', 'pt-BR': 'Página inicial' },
});
