export function drawSparsely(): void;
