// Holds the legal moves of English checkers against rapid-draughts. Standard input has a line of JSON for each game:
// its plies, each [the legal moves, the move played]; a move is its squares, all that it stands on one after the other.
//
// usage: node rapid_draughts.mjs FOLDER      (prints "N positions", or what differs, and fails)

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const module = pathToFileURL(`${process.argv[2]}/node_modules/rapid-draughts/dist/english.js`);
const { EnglishDraughts } = await import(module);

const row = (number) => Math.floor((number - 1) / 4);
const column = (number) => ((number - 1) % 4) * 2 + (row(number) % 2 === 0 ? 1 : 0);
const number = (r, c) => r * 4 + Math.floor(c / 2) + 1;
const between = (one, two) => number((row(one) + row(two)) / 2, (column(one) + column(two)) / 2);
const name = (from, to, captures) => `${from} ${to} ${captures.sort((a, b) => a - b).join('x')}`;

function ours(squares, capture) {
  const captures = capture ? squares.slice(1).map((square, at) => between(squares[at], square)) : [];
  return name(squares[0], squares.at(-1), captures);
}

const theirs = (move) => name(move.origin + 1, move.destination + 1, move.captures.map((at) => at + 1));
const parsed = (text) => ours(text.split(/[-x]/).map(Number), text.includes('x'));
const sorted = (names) => [...new Set(names)].sort().join(', ');

let positions = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const game = EnglishDraughts.setup();
  for (const [legal, played] of JSON.parse(line)) {
    const moves = game.moves;
    if (sorted(legal.map(parsed)) !== sorted(moves.map(theirs))) {
      console.log(`differs: ${sorted(legal.map(parsed))} | ${sorted(moves.map(theirs))}\n${game.asciiBoard()}`);
      process.exit(1);
    }
    positions += 1;
    if (played !== null) {
      game.move(moves.find((move) => theirs(move) === parsed(played)));
    }
  }
}
console.log(`${positions} positions`);
