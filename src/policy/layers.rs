//! The arithmetic of a small network. Sums are taken in one order everywhere, so that they are the same on every
//! machine.

use super::tensors::Tensors;
use crate::layout::Layout;

/// Weights from some inputs to some outputs, a row of outputs for each input, and what is added.
pub struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// Reads `{name}.w` and, if it is there, `{name}.b`.
    pub fn read(tensors: &Tensors<'_>, name: &str, inputs: usize) -> Result<Self, String> {
        let weights_name = format!("{name}.w");
        let outputs = tensors.width(&weights_name)?;
        let weights = tensors.array(&weights_name, &[inputs, outputs])?;
        let bias_name = format!("{name}.b");
        let bias = if tensors.has(&bias_name) { tensors.array(&bias_name, &[outputs])? } else { vec![0.0; outputs] };
        Ok(Self { weights, bias })
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes the outputs for some inputs.
    #[inline(always)]
    pub fn apply(&self, inputs: &[f32], outputs: &mut Vec<f32>) {
        outputs.clear();
        outputs.extend_from_slice(&self.bias);
        for (&input, weights) in inputs.iter().zip(self.weights.chunks_exact(self.outputs())) {
            if input != 0.0 {
                add(outputs, weights, input);
            }
        }
    }
}

/// A first layer over a row of bytes. Blocks of categories are no inputs; the others count as shares of their range.
pub struct RowLayer {
    layer: Layer,
    /// Where runs of inputs begin and end in a row, and which of the layer's inputs they begin with.
    runs: Vec<(usize, usize, usize)>,
}

impl RowLayer {
    /// Reads a layer over rows of a layout.
    pub fn read(tensors: &Tensors<'_>, name: &str, layout: &Layout) -> Result<Self, String> {
        let blocks = || layout.blocks().iter().filter(|block| block.classes.is_none());
        let mut layer = Layer::read(tensors, name, blocks().map(crate::layout::Block::size).sum())?;
        let outputs = layer.outputs();
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        let mut input = 0;
        for block in blocks() {
            let (size, scale) = (block.size(), 1.0 / f32::from(block.high.max(1)));
            for weight in &mut layer.weights[input * outputs..(input + size) * outputs] {
                *weight *= scale;
            }
            match runs.last_mut() {
                Some((_, end, _)) if *end == block.start => *end += size,
                _ => runs.push((block.start, block.start + size, input)),
            }
            input += size;
        }
        Ok(Self { layer, runs })
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.layer.outputs()
    }

    /// Writes the outputs for a row.
    #[inline(always)]
    pub fn apply(&self, row: &[u8], outputs: &mut Vec<f32>) {
        outputs.clear();
        outputs.extend_from_slice(&self.layer.bias);
        self.add(row, outputs);
    }

    /// Adds the outputs for a row, without what the layer adds itself.
    #[inline(always)]
    pub fn add(&self, row: &[u8], outputs: &mut [f32]) {
        let width = self.outputs();
        for &(start, end, input) in &self.runs {
            let weights = &self.layer.weights[input * width..];
            for (chunk, weights) in row[start..end].chunks(8).zip(weights.chunks(8 * width)) {
                if chunk.iter().all(|&entry| entry == 0) {
                    continue;
                }
                for (&entry, weights) in chunk.iter().zip(weights.chunks_exact(width)) {
                    if entry != 0 {
                        add(outputs, weights, entry.into());
                    }
                }
            }
        }
    }

    /// What the layer adds itself.
    pub fn bias(&self) -> &[f32] {
        &self.layer.bias
    }
}

#[inline(always)]
fn add(outputs: &mut [f32], weights: &[f32], input: f32) {
    for (output, weight) in outputs.iter_mut().zip(weights) {
        *output += weight * input;
    }
}

/// What is above 0.
#[inline(always)]
pub fn relu(outputs: &mut [f32]) {
    for output in outputs {
        *output = output.max(0.0);
    }
}

/// The sum of products, eight side by side.
#[inline(always)]
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (one, other) in one.chunks(8).zip(other.chunks(8)) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}
