import type { PageSize } from '../../../../../shared/ui/browser/reader/source.ts';
import type { GivenMark, SentMark } from '../../placing-data.ts';
import { fromLowerLeft, keepInside, type Place } from './geometry.ts';
import type { PlacedMark } from './panel.ts';

/** The place of a mark as a request named it, on a page that is so large. */
export function placeOf(
  { topLeftX, topLeftY, width, height, isFromBottom }: GivenMark,
  page: number,
  size: PageSize,
): Place {
  const place = { page, x: topLeftX, y: topLeftY, width, height };
  return keepInside(isFromBottom ? fromLowerLeft(place, size) : place, size);
}

/** A mark as it is sent. */
export const sentMarkOf = ({ action, type, file, place }: PlacedMark): SentMark => ({
  action,
  type,
  uploadId: file,
  pageNumber: place.page,
  topLeftX: place.x,
  topLeftY: place.y,
  width: place.width,
  height: place.height,
});
