export function drawSparsely(pixelRatio: number | null): void;
