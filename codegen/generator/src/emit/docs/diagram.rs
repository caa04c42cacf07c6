//! A state machine as a drawing: layers from top to bottom, the names of moves in layers of their own between them.
//!
//! Moves that lead back up are laid out as if they led down and drawn with their arrow at the other end; a move that passes
//! a layer gets a place in it, so that no line crosses a box. Whole pixels throughout. Colours come from the page.

use std::fmt::Write;

use super::markup::escaped;
use crate::resolve::ResolvedMachine;

/// Width of a letter in a box and of one in a name of a move.
const BOX_LETTER: i32 = 8;
const NAME_LETTER: i32 = 7;
const BOX_HEIGHT: i32 = 36;
const LINE_HEIGHT: i32 = 16;
const DOT: i32 = 12;
/// Between neighbours of a layer, and between layers.
const GAP: i32 = 28;
const LAYER_GAP: i32 = 22;
const MARGIN: i32 = 8;
const SWEEPS: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
enum DiagramNodeKind {
    /// Before the first state.
    Start,
    /// A state, and whether it is final.
    State(String, bool),
    /// A place on a line: the names that stand there.
    Slot(Vec<String>),
}

struct DiagramNode {
    kind: DiagramNodeKind,
    layer: usize,
    /// Of its middle.
    x: i32,
    width: i32,
    height: i32,
    /// Nodes of the layers above and below that it is joined to.
    above: Vec<usize>,
    below: Vec<usize>,
}

/// A line, as it is laid out: from above to below, through its slots.
struct DiagramLine {
    path: Vec<usize>,
    /// True if its arrow is at its upper end.
    is_back: bool,
}

struct DiagramLayout {
    nodes: Vec<DiagramNode>,
    lines: Vec<DiagramLine>,
}

/// The drawing as SVG.
pub(super) fn svg(name: &str, machine: &ResolvedMachine<'_>) -> String {
    let mut drawing = laid_out(machine);
    drawing.order();
    drawing.spread();
    drawing.written(name, machine)
}

/// Moves between the same states, as one.
fn joined(machine: &ResolvedMachine<'_>, states: &[&str]) -> Vec<(usize, usize, Vec<String>)> {
    let place = |state: &str| states.iter().position(|known| *known == state).map_or(0, |at| at + 1);
    let mut joined: Vec<(usize, usize, Vec<String>)> = Vec::new();
    joined.extend(machine.start.map(|start| (0, place(start), Vec::new())));
    for (name, step) in &machine.moves {
        for from in &step.from {
            let (from, to) = (place(from), place(step.to));
            match joined.iter_mut().find(|known| (known.0, known.1) == (from, to)) {
                Some(known) => known.2.push((*name).to_owned()),
                None => joined.push((from, to, vec![(*name).to_owned()])),
            }
        }
    }
    joined
}

fn laid_out(machine: &ResolvedMachine<'_>) -> DiagramLayout {
    let states: Vec<&str> = machine.states.keys().copied().collect();
    let moves = joined(machine, &states);
    let back = led_back(states.len() + 1, &moves);
    let down: Vec<(usize, usize)> =
        moves.iter().zip(&back).map(|((from, to, _), back)| if *back { (*to, *from) } else { (*from, *to) }).collect();
    // A layer of states, then one of names.
    let mut layers = vec![0_usize; states.len() + 1];
    for _ in 0..layers.len() {
        for (from, to) in down.iter().filter(|(from, to)| from != to) {
            layers[*to] = layers[*to].max(layers[*from] + 2);
        }
    }
    // A view may have no start; nothing stands above its first state then.
    let has_start = moves.iter().any(|(from, ..)| *from == 0);
    let state = |(index, state): (usize, &&str)| {
        let ends = machine.finals.contains(state) || !moves.iter().any(|(from, ..)| *from == index + 1);
        let width = i32::try_from(state.len()).unwrap_or(i32::MAX / BOX_LETTER) * BOX_LETTER + 32;
        node(DiagramNodeKind::State((*state).to_owned(), ends), layers[index + 1], width, BOX_HEIGHT)
    };
    let dot = if has_start { DOT } else { 0 };
    let mut nodes = vec![node(DiagramNodeKind::Start, 0, dot, dot)];
    nodes.extend(states.iter().enumerate().map(state));
    let mut drawing = DiagramLayout { nodes, lines: Vec::new() };
    for (((_, _, names), (from, to)), is_back) in moves.into_iter().zip(down).zip(back) {
        drawing.join(from, to, &names, is_back);
    }
    drawing
}

fn node(kind: DiagramNodeKind, layer: usize, width: i32, height: i32) -> DiagramNode {
    DiagramNode { kind, layer, x: 0, width, height, above: Vec::new(), below: Vec::new() }
}

/// True for each move that leads to a state that leads to where it starts.
fn led_back(count: usize, moves: &[(usize, usize, Vec<String>)]) -> Vec<bool> {
    fn visit(at: usize, moves: &[(usize, usize, Vec<String>)], seen: &mut [u8], back: &mut [bool]) {
        seen[at] = 1;
        for (index, (_, to, _)) in moves.iter().enumerate().filter(|(_, (from, ..))| *from == at) {
            match seen[*to] {
                0 => visit(*to, moves, seen, back),
                1 => back[index] = true,
                _ => {}
            }
        }
        seen[at] = 2;
    }
    let mut back = vec![false; moves.len()];
    let mut seen = vec![0_u8; count];
    for at in 0..count {
        if seen[at] == 0 {
            visit(at, moves, &mut seen, &mut back);
        }
    }
    back
}

impl DiagramLayout {
    /// Draws a line between two nodes, with a slot in each layer that it passes.
    fn join(&mut self, from: usize, to: usize, names: &[String], is_back: bool) {
        let (first, last) = (self.nodes[from].layer + 1, self.nodes[to].layer);
        // A name stands beside the state that the move leaves.
        let named = if is_back { last.saturating_sub(1) } else { first };
        let mut path = vec![from];
        for layer in first..last {
            let names = if layer == named { names.to_vec() } else { Vec::new() };
            let longest = names.iter().map(String::len).max().unwrap_or_default();
            let width = i32::try_from(longest).unwrap_or(i32::MAX / NAME_LETTER) * NAME_LETTER + 8;
            let height = i32::try_from(names.len()).unwrap_or(i32::MAX / LINE_HEIGHT) * LINE_HEIGHT;
            path.push(self.nodes.len());
            self.nodes.push(node(DiagramNodeKind::Slot(names), layer, width, height));
        }
        path.push(to);
        for pair in path.windows(2) {
            self.nodes[pair[0]].below.push(pair[1]);
            self.nodes[pair[1]].above.push(pair[0]);
        }
        self.lines.push(DiagramLine { path, is_back });
    }

    fn layers(&self) -> Vec<Vec<usize>> {
        let count = self.nodes.iter().map(|node| node.layer + 1).max().unwrap_or_default();
        let mut layers = vec![Vec::new(); count];
        for (index, node) in self.nodes.iter().enumerate() {
            layers[node.layer].push(index);
        }
        for layer in &mut layers {
            layer.sort_by_key(|index| self.nodes[*index].x);
        }
        layers
    }

    /// Orders each layer so that few lines cross: every node as far to the right as its neighbours are on average.
    fn order(&mut self) {
        for (index, node) in self.nodes.iter_mut().enumerate() {
            node.x = i32::try_from(index).unwrap_or(i32::MAX);
        }
        for sweep in 0..SWEEPS {
            let mut layers = self.layers();
            if sweep % 2 == 1 {
                layers.reverse();
            }
            for layer in layers {
                let mut places: Vec<(i32, i32, usize)> = layer
                    .iter()
                    .map(|index| {
                        let node = &self.nodes[*index];
                        let near = if sweep % 2 == 0 { &node.above } else { &node.below };
                        (self.middle(near).unwrap_or(node.x * 1000), node.x, *index)
                    })
                    .collect();
                places.sort_unstable();
                for (place, (_, _, index)) in (0..).zip(places) {
                    self.nodes[index].x = place;
                }
            }
        }
    }

    /// A thousand times the mean of where some nodes stand.
    fn middle(&self, near: &[usize]) -> Option<i32> {
        let count = i32::try_from(near.len()).ok().filter(|count| *count > 0)?;
        Some(near.iter().map(|index| self.nodes[*index].x * 1000).sum::<i32>() / count)
    }

    /// Gives each node its place: near its neighbours, in the order of its layer, without touching another.
    fn spread(&mut self) {
        let layers = self.layers();
        for layer in &layers {
            let whole: i32 = layer.iter().map(|index| self.nodes[*index].width + GAP).sum();
            let mut x = -whole / 2;
            for index in layer {
                let node = &mut self.nodes[*index];
                node.x = x + node.width / 2;
                x += node.width + GAP;
            }
        }
        for sweep in 0..SWEEPS {
            let every = if sweep % 2 == 0 { layers.iter().collect() } else { layers.iter().rev().collect::<Vec<_>>() };
            for layer in every {
                let wanted: Vec<i32> = layer.iter().map(|index| self.wanted(*index)).collect();
                self.place(layer, &wanted);
            }
        }
        let left = self.nodes.iter().map(|node| node.x - node.width / 2).min().unwrap_or_default();
        self.nodes.iter_mut().for_each(|node| node.x += MARGIN - left);
    }

    fn wanted(&self, index: usize) -> i32 {
        let node = &self.nodes[index];
        let near: Vec<usize> = node.above.iter().chain(&node.below).copied().collect();
        self.middle(&near).map_or(node.x, |middle| middle / 1000)
    }

    /// Places a layer between what it wants pushed to the right and the same pushed to the left.
    fn place(&mut self, layer: &[usize], wanted: &[i32]) {
        let apart =
            |nodes: &[DiagramNode], left: usize, right: usize| (nodes[left].width + nodes[right].width) / 2 + GAP;
        let mut right = wanted.to_vec();
        for at in 1..layer.len() {
            right[at] = right[at].max(right[at - 1] + apart(&self.nodes, layer[at - 1], layer[at]));
        }
        let mut left = wanted.to_vec();
        for at in (1..layer.len()).rev() {
            left[at - 1] = left[at - 1].min(left[at] - apart(&self.nodes, layer[at - 1], layer[at]));
        }
        for (at, index) in layer.iter().enumerate() {
            self.nodes[*index].x = (left[at] + right[at]) / 2;
        }
    }

    /// The middle of each layer, and the height of all.
    fn heights(&self) -> (Vec<i32>, i32) {
        let mut y = MARGIN;
        let mut middles = Vec::new();
        for layer in self.layers() {
            let height = layer.iter().map(|index| self.nodes[*index].height).max().unwrap_or_default();
            middles.push(y + height / 2);
            y += height + LAYER_GAP;
        }
        (middles, y - LAYER_GAP + MARGIN)
    }

    fn written(&self, name: &str, machine: &ResolvedMachine<'_>) -> String {
        let (middles, height) = self.heights();
        let width = self.nodes.iter().map(|node| node.x + node.width / 2).max().unwrap_or_default() + MARGIN;
        let name = escaped(name);
        let states: Vec<&str> = machine.states.keys().copied().collect();
        let mut text = format!(
            "<svg class=\"machine\" role=\"img\" aria-label=\"States of {name}: {}. The moves stand in the table below.\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <defs><marker id=\"tip-{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" \
             orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
            escaped(&states.join(", "))
        );
        for line in &self.lines {
            self.write_line(line, &middles, &name, &mut text);
        }
        for node in &self.nodes {
            write_node(node, middles[node.layer], &mut text);
        }
        text.push_str("</svg>");
        text
    }

    fn write_line(&self, line: &DiagramLine, middles: &[i32], name: &str, text: &mut String) {
        let mut points = Vec::new();
        for (at, index) in line.path.iter().enumerate() {
            let (node, y) = (&self.nodes[*index], middles[self.nodes[*index].layer]);
            let half = node.height / 2;
            if at == 0 {
                points.push((self.port(*index, line.path[at + 1], false), y + half));
            } else if at + 1 == line.path.len() {
                points.push((self.port(*index, line.path[at - 1], true), y - half - 1));
            } else {
                points.push((node.x, y - half));
                points.push((node.x, y + half));
            }
        }
        let mut path = format!("M{} {}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            if x == to_x {
                let _ = write!(path, "V{to_y}");
            } else {
                let middle = (y + to_y) / 2;
                let _ = write!(path, "C{x} {middle} {to_x} {middle} {to_x} {to_y}");
            }
        }
        let end = if line.is_back { "start" } else { "end" };
        let back = if line.is_back { " class=\"back\"" } else { "" };
        let _ = writeln!(text, "<path{back} d=\"{path}\" marker-{end}=\"url(#tip-{name})\"/>");
    }

    /// The point where a line to a neighbour touches a node: lines side by side, in the order of where they come from.
    fn port(&self, index: usize, neighbour: usize, is_above: bool) -> i32 {
        let node = &self.nodes[index];
        let mut near = if is_above { node.above.clone() } else { node.below.clone() };
        near.sort_by_key(|index| self.nodes[*index].x);
        let count = i32::try_from(near.len()).unwrap_or(1).max(1);
        let at = near.iter().position(|index| *index == neighbour).and_then(|at| i32::try_from(at).ok()).unwrap_or(0);
        let apart = ((node.width - 24) / count).clamp(0, 32);
        node.x + at * apart - (count - 1) * apart / 2
    }
}

fn write_node(node: &DiagramNode, y: i32, text: &mut String) {
    let (x, left, top) = (node.x, node.x - node.width / 2, y - node.height / 2);
    let (width, height) = (node.width, node.height);
    match &node.kind {
        DiagramNodeKind::Start if width > 0 => {
            let _ = writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", DOT / 2);
        }
        DiagramNodeKind::Start => {}
        DiagramNodeKind::State(name, is_final) => {
            let class = if *is_final { " class=\"final\"" } else { "" };
            let _ = writeln!(
                text,
                "<rect{class} x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"9\"/>"
            );
            if *is_final {
                let _ = writeln!(
                    text,
                    "<rect class=\"inner\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
                    left + 3,
                    top + 3,
                    width - 6,
                    height - 6
                );
            }
            let _ = writeln!(text, "<text x=\"{x}\" y=\"{}\">{}</text>", y + 5, escaped(name));
        }
        DiagramNodeKind::Slot(names) => {
            for (line, name) in (0..).zip(names) {
                let at = top + line * LINE_HEIGHT + 12;
                let _ = writeln!(text, "<text class=\"move\" x=\"{x}\" y=\"{at}\">{}</text>", escaped(name));
            }
        }
    }
}
