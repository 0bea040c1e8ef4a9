import { translations } from '../../../../../shared/ui/translations.ts';

/** Texts of the page that places marks. */
export const placingWords = translations({
  people: { en: 'Who signs where', 'pt-BR': 'Quem assina onde' },
  hint: {
    en: 'Drag a person onto a page, or press the button to place the mark on the page that you see.',
    'pt-BR': 'Arraste uma pessoa para uma página, ou aperte o botão para pôr a marca na página que você vê.',
  },
  keys: {
    en: 'Arrow keys move the mark, with Shift they resize it, with Alt in small steps. Page Up and Page Down take it to another page. Delete removes it.',
    'pt-BR':
      'As setas movem a marca, com Shift mudam o tamanho, com Alt em passos pequenos. Page Up e Page Down a levam para outra página. Delete a remove.',
  },
  signature: { en: (who: string) => `Signature: ${who}`, 'pt-BR': (who: string) => `Assinatura: ${who}` },
  approval: { en: (who: string) => `Approval: ${who}`, 'pt-BR': (who: string) => `Aprovação: ${who}` },
  initials: { en: (who: string) => `Initials: ${who}`, 'pt-BR': (who: string) => `Rubrica: ${who}` },
  stamp: { en: 'Verification code', 'pt-BR': 'Código de verificação' },
  marks: { en: 'Marks', 'pt-BR': 'Marcas' },
  noMarks: {
    en: 'No mark yet. Without one, the signature is on no page and in the file alone.',
    'pt-BR': 'Nenhuma marca ainda. Sem marca, a assinatura fica só no arquivo e em nenhuma página.',
  },
  onPage: {
    en: (label: string, page: number) => `${label}, page ${page}`,
    'pt-BR': (label: string, page: number) => `${label}, página ${page}`,
  },
  at: {
    en: (page: number, x: number, y: number) => `Page ${page}, ${x} points from the left, ${y} from the top.`,
    'pt-BR': (page: number, x: number, y: number) => `Página ${page}, ${x} pontos da esquerda, ${y} do topo.`,
  },
  sized: {
    en: (width: number, height: number) => `${width} points wide, ${height} high.`,
    'pt-BR': (width: number, height: number) => `${width} pontos de largura, ${height} de altura.`,
  },
  removed: { en: 'The mark was removed.', 'pt-BR': 'A marca foi removida.' },
  copied: {
    en: (count: number) => `The mark is on all ${count} pages now.`,
    'pt-BR': (count: number) => `A marca está agora em todas as ${count} páginas.`,
  },
  tooMany: {
    en: (max: number) => `A person has at most ${max} marks. Nothing was added.`,
    'pt-BR': (max: number) => `Uma pessoa tem no máximo ${max} marcas. Nada foi acrescentado.`,
  },
  copyToAll: { en: 'Copy to all pages', 'pt-BR': 'Copiar para todas as páginas' },
  remove: { en: 'Delete', 'pt-BR': 'Excluir' },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  notPdf: {
    en: 'Marks are placed on PDFs only. This file is signed without one.',
    'pt-BR': 'Marcas são postas só em PDFs. Este arquivo é assinado sem marca.',
  },
});
