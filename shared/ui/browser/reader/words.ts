import { translations } from '../../translations.ts';

/** Texts of the reader while it works. */
export const readerTexts = translations({
  loading: { en: 'Loading the document…', 'pt-BR': 'Carregando o documento…' },
  loaded: {
    en: (percent: number) => `Loading the document… ${percent} %`,
    'pt-BR': (percent: number) => `Carregando o documento… ${percent} %`,
  },
  notLoaded: {
    en: 'The document could not be loaded. Check your internet and reload the page, or download it.',
    'pt-BR': 'O documento não pôde ser carregado. Verifique sua internet e recarregue a página, ou baixe-o.',
  },
  damaged: {
    en: 'This PDF is damaged and cannot be shown here. Download it, or ask its sender for another one.',
    'pt-BR': 'Este PDF está danificado e não pode ser mostrado aqui. Baixe-o ou peça outro a quem enviou.',
  },
  locked: {
    en: 'This PDF has a password and cannot be shown here. Download it to read it with its password.',
    'pt-BR': 'Este PDF tem senha e não pode ser mostrado aqui. Baixe-o para ler com a senha.',
  },
  pageBroken: {
    en: 'This page cannot be shown. Reload the page, or download the document.',
    'pt-BR': 'Esta página não pode ser mostrada. Recarregue a página ou baixe o documento.',
  },
  tooLarge: {
    en: 'This file is too large to be shown here. Download it to read it.',
    'pt-BR': 'Este arquivo é grande demais para ser mostrado aqui. Baixe-o para ler.',
  },
  notXml: {
    en: 'This file is not well-formed XML. It is shown as plain text.',
    'pt-BR': 'Este arquivo não é XML bem formado. Ele é mostrado como texto.',
  },
  download: { en: 'Download', 'pt-BR': 'Baixar' },
  content: { en: 'Content of the document', 'pt-BR': 'Conteúdo do documento' },
  asXml: { en: 'The file as it is (XML)', 'pt-BR': 'O arquivo como ele é (XML)' },
  hash: { en: 'SHA-256', 'pt-BR': 'SHA-256' },
  tools: { en: 'Reader', 'pt-BR': 'Leitor' },
  page: { en: 'Page', 'pt-BR': 'Página' },
  pageOf: {
    en: (page: number, count: number) => `Page ${page} of ${count}`,
    'pt-BR': (page: number, count: number) => `Página ${page} de ${count}`,
  },
  ofPages: { en: (count: number) => `of ${count}`, 'pt-BR': (count: number) => `de ${count}` },
  smaller: { en: 'Smaller', 'pt-BR': 'Diminuir' },
  larger: { en: 'Larger', 'pt-BR': 'Aumentar' },
  fit: { en: 'Fit the width', 'pt-BR': 'Ajustar à largura' },
  find: { en: 'Find in the document', 'pt-BR': 'Buscar no documento' },
  findShort: { en: 'Find', 'pt-BR': 'Buscar' },
  findNext: { en: 'Next', 'pt-BR': 'Próxima' },
  found: {
    en: (at: number, count: number) => `${at} of ${count}`,
    'pt-BR': (at: number, count: number) => `${at} de ${count}`,
  },
  foundNothing: { en: 'Not found', 'pt-BR': 'Nada encontrado' },
  searching: { en: 'Searching…', 'pt-BR': 'Buscando…' },
  notSearched: { en: 'The search failed. Try again.', 'pt-BR': 'A busca falhou. Tente de novo.' },
  pages: { en: 'Pages of the document', 'pt-BR': 'Páginas do documento' },
  showSignature: { en: 'Show where you sign', 'pt-BR': 'Mostrar onde você assina' },
  showApproval: { en: 'Show where your approval goes', 'pt-BR': 'Mostrar onde fica sua aprovação' },
});
