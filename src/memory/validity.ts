export function readValidity(_text: string, _day: string | null): { from: string | null; to: string | null } | null {
  return null;
}
