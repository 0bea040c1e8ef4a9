import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import type { PdfFile } from './pdf-file.ts';

/** What of a part is in the merged file. */
export type MovedPart = {
  readonly pages: readonly PDFRef[];
  /** Layers, and those of them that are not shown. */
  readonly layers: readonly PDFRef[];
  readonly hiddenLayers: readonly PDFRef[];
};

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name));
// They lead to the rest of the file, or mean something in it alone: articles, scripts, the tree of tags.
const LEFT_BEHIND = ['Parent', 'B', 'AA', 'StructParents'].map((name) => PDFName.of(name));

/**
 * Writes the pages of a part, and whatever they show, under numbers of the merged file. The part cannot be used after
 * it: its references are those of the other file.
 */
export function movePages(pdf: PDFDocument, file: PdfFile, parent: PDFRef): MovedPart {
  const nodes = nodesOf(pdf);
  for (const { node } of nodes) inherit(node);
  const numbers = new Map<PDFRef, PDFRef>();
  const unwritten: PDFRef[] = [];
  const numberOf = (ref: PDFRef): PDFRef => {
    const known = numbers.get(ref);
    if (known) return known;
    const number = file.reserve();
    numbers.set(ref, number);
    unwritten.push(ref);
    return number;
  };
  const pages = nodes.map(({ ref }) => numberOf(ref));
  const { layers, hidden } = layersOf(pdf);
  const moved = { pages, layers: layers.map(numberOf), hiddenLayers: hidden.map(numberOf) };
  const isPage = new Set<PDFObject>(nodes.map(({ node }) => node));
  const renumbered = new Set<PDFObject>();
  for (let ref = unwritten.pop(); ref; ref = unwritten.pop()) {
    const object = pdf.context.lookup(ref);
    if (!object) continue;
    if (object instanceof PDFPageLeaf) for (const name of LEFT_BEHIND) object.delete(name);
    renumber(object, numberOf, renumbered);
    if (isPage.has(object)) (object as PDFPageLeaf).set(PDFName.of('Parent'), parent);
    file.write(numberOf(ref), object);
  }
  return moved;
}

/** The pages in their order. One that a tree names twice is two: a page has one place in a tree. */
function nodesOf(pdf: PDFDocument): { readonly node: PDFPageLeaf; readonly ref: PDFRef }[] {
  const known = new Set<PDFRef>();
  return pdf.getPages().map(({ node, ref }) => {
    const own = known.has(ref) ? node.clone(pdf.context) : node;
    const page = { node: own, ref: own === node ? ref : pdf.context.register(own) };
    known.add(page.ref);
    return page;
  });
}

/** Writes into a page what it has of the tree above it. */
function inherit(node: PDFPageLeaf): void {
  for (const name of INHERITED) {
    const value = node.get(name) ?? node.getInheritableAttribute(name);
    if (value) node.set(name, value);
  }
}

/** Replaces the references in an object. Not by recursion: a hostile file nests deeper than the stack. */
function renumber(root: PDFObject, numberOf: (ref: PDFRef) => PDFRef, done: Set<PDFObject>): void {
  const left: PDFObject[] = [root];
  for (let object = left.pop(); object; object = left.pop()) {
    // Pages share what they inherit.
    if (done.has(object)) continue;
    if (object instanceof PDFStream) left.push(object.dict);
    else if (object instanceof PDFDict) {
      done.add(object);
      for (const [name, value] of object.entries()) {
        if (value instanceof PDFRef) object.set(name, numberOf(value));
        else left.push(value);
      }
    } else if (object instanceof PDFArray) {
      done.add(object);
      for (let index = 0; index < object.size(); index++) {
        const value = object.get(index);
        if (value instanceof PDFRef) object.set(index, numberOf(value));
        else left.push(value);
      }
    }
  }
}

/** The layers of a file. Without this list every one would be shown (ISO 32000-1, 8.11.4). */
function layersOf({ catalog }: PDFDocument): { readonly layers: PDFRef[]; readonly hidden: PDFRef[] } {
  const properties = catalog.lookup(PDFName.of('OCProperties'));
  if (!(properties instanceof PDFDict)) return { layers: [], hidden: [] };
  const layers = refsIn(properties.lookup(PDFName.of('OCGs')));
  const state = properties.lookup(PDFName.of('D'));
  if (!(state instanceof PDFDict)) return { layers, hidden: [] };
  const off = refsIn(state.lookup(PDFName.of('OFF')));
  const on = new Set(refsIn(state.lookup(PDFName.of('ON'))));
  const isOffByDefault = state.lookup(PDFName.of('BaseState')) === PDFName.of('OFF');
  return { layers, hidden: isOffByDefault ? layers.filter((layer) => !on.has(layer)) : off };
}

const refsIn = (list: PDFObject | undefined): PDFRef[] =>
  list instanceof PDFArray ? list.asArray().filter((each) => each instanceof PDFRef) : [];
