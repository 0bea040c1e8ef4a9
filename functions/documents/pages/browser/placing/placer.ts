import { element } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import {
  type PageSize,
  pdfToolsOf,
  type ShownPages,
} from '../../../../../shared/ui/browser/reader/source.ts';
import { documentKind } from '../../../../../shared/ui/reader/document-kind.ts';
import type { GivenMark, MarkType, PlacingData, SentMark } from '../../placing-data.ts';
import {
  afterKey,
  centeredAt,
  copiesOf,
  keepInside,
  moveBy,
  type Place,
  type Point,
  pointsOf,
  resizeBy,
} from './geometry.ts';
import { placeOf, sentMarkOf } from './mark-data.ts';
import { createMarkElement, listenToButton } from './mark-element.ts';
import { createPanel, type PlacedMark } from './panel.ts';
import { showPages } from './show-pages.ts';
import { placingWords } from './words.ts';

const words = placingWords(language);

// As the contract's own defaults; initials are short.
const SIZES: Readonly<Record<MarkType, { readonly width: number; readonly height: number }>> = {
  SignatureVisualRepresentation: { width: 180, height: 60 },
  SignatureInitials: { width: 60, height: 30 },
  AuthenticationStamp: { width: 180, height: 60 },
};

// The marks of one person have one of so many colours.
const HUES = 6;

type PlacerOptions = {
  /** Called after every change. */
  readonly onChange?: () => void;
};

/**
 * Shows the files with the marks on their pages, to be placed by pointer and by keys. The server rendered `root` with the
 * data, and with the addresses of the parts of pdf.js.
 * @example const { marks } = mountPlacer(root, data, { onChange: save });
 */
export function mountPlacer(
  root: HTMLElement,
  data: PlacingData,
  { onChange = () => undefined }: PlacerOptions = {},
) {
  const placed: PlacedMark[] = [];
  const elements = new Map<number, ReturnType<typeof createMarkElement>>();
  let nextId = 1;
  let pages: ShownPages | undefined;
  let shownFile = data.files.find(({ mimeType }) => documentKind(mimeType) === 'pdf') ?? data.files[0];
  // Those of a file that was not shown yet keep the corner that they were given from: its pages are not known.
  let given: readonly GivenMark[] = data.marks;

  const labelOf = ({ action, type }: Pick<PlacedMark, 'action' | 'type'>): string => {
    const { name = '', kind = 'signature' } = data.actions[action] ?? {};
    if (type === 'SignatureInitials') return words.initials(name);
    if (type === 'AuthenticationStamp') return words.stamp;
    return kind === 'signature' ? words.signature(name) : words.approval(name);
  };
  const nameOf = (mark: PlacedMark): string => words.onPage(labelOf(mark), mark.place.page);
  const countOf = (action: number): number =>
    placed.filter((mark) => mark.action === action).length +
    given.filter((mark) => mark.action === action).length;

  const draw = (mark: PlacedMark, size: PageSize): void => {
    const box = pages?.boxOf(mark.place.page);
    if (!box || mark.file !== shownFile?.id) return;
    const made = elements.get(mark.id) ?? elementOf(mark);
    elements.set(mark.id, made);
    if (made.box.parentElement !== box) {
      const hadFocus = document.activeElement === made.box;
      box.append(made.box);
      if (hadFocus) made.box.focus({ preventScroll: true });
    }
    made.show(mark.place, nameOf(mark), size);
  };
  const changed = (): void => {
    panel.showMarks(placed.filter(({ file }) => file === shownFile?.id));
    onChange();
  };
  const say = (text: string): void => panel.say(text);
  const sayPlace = ({ place: { page, x, y } }: PlacedMark): void =>
    say(words.at(page, Math.round(x), Math.round(y)));

  const elementOf = (mark: PlacedMark) => {
    let before = mark.place;
    let size: PageSize | undefined;
    void pages?.sizeOf(mark.place.page).then((found) => {
      size = found;
    });
    const made = createMarkElement(labelOf(mark), mark.action % HUES, panel.keysId, {
      onDrag(by, way) {
        if (!size) return;
        mark.place = (way === 'move' ? moveBy : resizeBy)(before, by, size);
        draw(mark, size);
      },
      onDragged() {
        if (mark.place === before) return;
        before = mark.place;
        sayPlace(mark);
        changed();
      },
      onKey(event) {
        if (event.ctrlKey || event.metaKey) return;
        if (event.key === 'Delete' || event.key === 'Backspace') remove(mark);
        else if (event.key === 'PageUp' || event.key === 'PageDown')
          void toPage(mark, mark.place.page + (event.key === 'PageUp' ? -1 : 1));
        else {
          const after = size && afterKey(event, mark.place, size);
          if (!size || !after) return;
          mark.place = after;
          before = after;
          draw(mark, size);
          if (event.shiftKey) say(words.sized(Math.round(after.width), Math.round(after.height)));
          else sayPlace(mark);
          changed();
        }
        // Nor does the reader scroll or zoom by it.
        event.preventDefault();
        event.stopPropagation();
      },
    });
    const toPage = async (moved: PlacedMark, page: number): Promise<void> => {
      if (!pages || page < 1 || page > pages.count) return;
      size = await pages.sizeOf(page);
      moved.place = keepInside({ ...moved.place, page }, size);
      before = moved.place;
      draw(moved, size);
      pages.show(page);
      sayPlace(moved);
      changed();
    };
    return made;
  };

  const remove = (mark: PlacedMark): void => {
    const index = placed.indexOf(mark);
    if (index < 0) return;
    placed.splice(index, 1);
    elements.get(mark.id)?.box.remove();
    elements.delete(mark.id);
    say(words.removed);
    changed();
    panel.focus();
  };
  const add = (mark: Omit<PlacedMark, 'id'>, size: PageSize): PlacedMark => {
    const added = { ...mark, id: nextId++ };
    placed.push(added);
    draw(added, size);
    return added;
  };
  const isFull = (action: number, more: number): boolean => {
    if (countOf(action) + more <= data.maxMarks) return false;
    say(words.tooMany(data.maxMarks));
    return true;
  };

  /** Adds a mark in the middle of a page, or where it was dropped. */
  const addTo = async (action: number, type: MarkType, page: number, at?: Point): Promise<void> => {
    const box = pages?.boxOf(page);
    if (!pages || !box || !shownFile || isFull(action, 1)) return;
    const size = await pages.sizeOf(page);
    const middle = at
      ? pointsOf(at, box.getBoundingClientRect(), size)
      : { x: size.width / 2, y: size.height / 2 };
    const mark = add(
      { action, type, file: shownFile.id, place: centeredAt(page, middle, SIZES[type], size) },
      size,
    );
    sayPlace(mark);
    changed();
    elements.get(mark.id)?.box.focus({ preventScroll: at !== undefined });
  };
  const copyToAll = async (mark: PlacedMark): Promise<void> => {
    const shown = pages;
    if (!shown) return;
    const isThere = ({ page }: Place): boolean =>
      placed.some(
        (other) =>
          other.file === mark.file &&
          other.action === mark.action &&
          other.type === mark.type &&
          other.place.page === page,
      );
    const sizes = await Promise.all(
      Array.from({ length: shown.count }, (_, index) => shown.sizeOf(index + 1)),
    );
    const copies = copiesOf(mark.place, sizes).filter((copy) => !isThere(copy));
    if (isFull(mark.action, copies.length)) return;
    for (const place of copies) {
      const size = sizes[place.page - 1];
      if (size) add({ action: mark.action, type: mark.type, file: mark.file, place }, size);
    }
    say(words.copied(shown.count));
    changed();
    elements.get(mark.id)?.box.focus({ preventScroll: true });
  };
  const showMark = (mark: PlacedMark): void => {
    pages?.show(mark.place.page);
    elements.get(mark.id)?.box.focus();
  };

  const reader = element('div', { className: 'reader placing-reader' });
  const panel = createPanel({
    files: data.files,
    chosen: shownFile?.id ?? '',
    onFile(id) {
      shownFile = data.files.find((file) => file.id === id);
      void showFile();
    },
    nameOf,
    onShow: showMark,
    onCopy: (mark) => void copyToAll(mark),
    onRemove: remove,
  });
  data.actions.forEach(({ hasInitials }, action) => {
    const types: MarkType[] = [
      'SignatureVisualRepresentation',
      ...(hasInitials ? (['SignatureInitials'] as const) : []),
    ];
    for (const type of types)
      listenToButton(panel.addButton(labelOf({ action, type }), action % HUES), {
        onClick: () => void addTo(action, type, pages?.current() ?? 1),
        onDrop: (at) => {
          const box = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('.reader-page');
          if (!box || !reader.contains(box)) return;
          const { left, top } = box.getBoundingClientRect();
          void addTo(action, type, Number(box.dataset.page), { x: at.x - left, y: at.y - top });
        },
      });
  });

  async function showFile(): Promise<void> {
    const file = shownFile;
    pages = undefined;
    elements.clear();
    reader.replaceChildren();
    if (!file) return;
    const shown = await showPages(reader, file, pdfToolsOf(root.dataset));
    // Another file may have been chosen meanwhile.
    if (shownFile !== file) return;
    if (!shown) return changedView();
    pages = shown;
    // What has buttons on it is no picture to a screen reader.
    for (let page = 1; page <= shown.count; page++) shown.boxOf(page)?.setAttribute('role', 'group');
    await takeGiven(file.id);
    for (const mark of placed.filter((each) => each.file === file.id))
      draw(mark, await shown.sizeOf(mark.place.page));
    changedView();
  }
  const changedView = (): void => panel.showMarks(placed.filter(({ file }) => file === shownFile?.id));

  /** Makes marks of those that the request named for this file, now that its pages are known. */
  async function takeGiven(fileId: string): Promise<void> {
    if (!pages) return;
    const ofFile = given.filter(({ uploadId }) => uploadId === fileId);
    given = given.filter(({ uploadId }) => uploadId !== fileId);
    for (const mark of ofFile) {
      // A page that the file does not have shows it on the last one.
      const page = Math.min(mark.pageNumber, pages.count);
      const place = placeOf(mark, page, await pages.sizeOf(page));
      placed.push({ id: nextId++, action: mark.action, type: mark.type, file: fileId, place });
    }
  }

  root.replaceChildren(panel.aside, reader);
  given = given.flatMap((mark) =>
    mark.uploadId === null ? data.files.map(({ id: uploadId }) => ({ ...mark, uploadId })) : [mark],
  );
  void showFile();

  return {
    /** The marks, as they are sent. Those of files that were not looked at are sent as they were given. */
    marks: (): (SentMark | GivenMark)[] => [...given, ...placed.map(sentMarkOf)],
  };
}
