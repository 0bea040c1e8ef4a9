import { withScratchMemory } from '../../../../bounds/budget.ts';
import { resolve } from '../../pdf/document.ts';
import { lookOf, looksOf } from '../shown/look.ts';
import { inherited, isShownAs } from './field-values.ts';
import type { FormComparison, Nodes } from './signature-field.ts';

const SHOWING_TEXT = new Set(['Tx', 'Ch']);

/**
 * Reports fields whose stored look is not their value, when readers are no longer told to draw the values anew.
 * Shadow attack (replace): the signed document has /NeedAppearances and shows 100; without it, a look says 999999.
 */
export function judgeStoredLooks({ before, report }: FormComparison, fields: Nodes): void {
  for (const node of fields.values())
    withScratchMemory(before.budget, () => {
      if (!SHOWING_TEXT.has(node.type ?? '')) return;
      const value = resolve(before, inherited(node, 'V'));
      const field = node.isWidgetOnly && node.parent ? node.parent : node;
      for (const { stream } of looksOf(before, node.dict)) {
        const { text, hasDrawing } = lookOf(before, stream, new Set());
        if (!hasDrawing && text !== undefined && isShownAs(before, before, field, value, text)) continue;
        const what = `The field "${node.name}" is no longer drawn by its value.`;
        report({ kind: 'overlay', allowed: true, what, field: node.name });
      }
    });
}
